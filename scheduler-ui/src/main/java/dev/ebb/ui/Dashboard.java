package dev.ebb.ui;

import dev.ebb.api.Mount;
import dev.ebb.api.jobs.share.SharedJobs;
import dev.ebb.ui.page.DocsPage;
import dev.ebb.ui.page.ErrorPages;
import dev.ebb.ui.page.Files;
import dev.ebb.ui.page.LoginPage;
import dev.ebb.ui.page.View;
import dev.ebb.ui.page.dead.DeadGroupPage;
import dev.ebb.ui.page.dead.DeadPage;
import dev.ebb.ui.page.files.SheetPage;
import dev.ebb.ui.page.files.SuggestionsPage;
import dev.ebb.ui.page.jobs.JobPage;
import dev.ebb.ui.page.jobs.JobsPage;
import dev.ebb.ui.page.lab.LabPage;
import dev.ebb.ui.page.operations.NewOperationPage;
import dev.ebb.ui.page.operations.OperationsPage;
import dev.ebb.ui.page.overview.OverviewPage;
import dev.ebb.ui.page.queues.DestinationsPage;
import dev.ebb.ui.page.queues.QueuePage;
import dev.ebb.ui.page.queues.QueuesPage;
import dev.ebb.ui.page.schedules.ScheduleFormPage;
import dev.ebb.ui.page.schedules.SchedulePage;
import dev.ebb.ui.page.schedules.SchedulesPage;
import dev.ebb.ui.page.share.SharePage;
import dev.ebb.ui.page.share.ShareStyle;
import dev.ebb.ui.page.system.AuditPage;
import dev.ebb.ui.page.system.DatabasePage;
import dev.ebb.ui.page.system.NodesPage;
import dev.ebb.ui.page.system.SettingsPage;
import java.util.List;
import java.util.Map;

/** What plugs the dashboard into the API's server. */
public final class Dashboard {
  /** Nothing but the dashboard's own files runs, and no other site may frame its pages. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Cache-Control",
          "no-store",
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
              + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
          "Referrer-Policy",
          "same-origin");

  /** All pages, below {@code /ui}; {@code /} leads there. */
  public static final Mount MOUNT =
      new Mount(
          View.ROOT,
          HEADERS,
          List.of(
              View.class,
              Files.class,
              ErrorPages.class,
              LoginPage.class,
              OverviewPage.class,
              JobsPage.class,
              JobPage.class,
              DeadPage.class,
              DeadGroupPage.class,
              NewOperationPage.class,
              OperationsPage.class,
              NodesPage.class,
              DatabasePage.class,
              AuditPage.class,
              QueuesPage.class,
              QueuePage.class,
              DestinationsPage.class,
              SchedulesPage.class,
              SchedulePage.class,
              ScheduleFormPage.class,
              SheetPage.class,
              SuggestionsPage.class,
              SettingsPage.class,
              LabPage.class));

  /** The reference of the API, beside the dashboard, whose parts it uses. */
  public static final Mount DOCS = new Mount(DocsPage.PATH, HEADERS, List.of(DocsPage.class));

  /** What links show of one job, to people who have no token. */
  public static final Mount SHARE =
      new Mount(SharedJobs.PATH, ShareStyle.HEADERS, List.of(SharePage.class));

  private Dashboard() {}
}
