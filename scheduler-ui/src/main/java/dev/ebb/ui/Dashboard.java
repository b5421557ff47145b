package dev.ebb.ui;

import dev.ebb.api.Mount;
import dev.ebb.ui.page.AuditPage;
import dev.ebb.ui.page.DatabasePage;
import dev.ebb.ui.page.DeadGroupPage;
import dev.ebb.ui.page.DeadPage;
import dev.ebb.ui.page.ErrorPages;
import dev.ebb.ui.page.Files;
import dev.ebb.ui.page.JobPage;
import dev.ebb.ui.page.JobsPage;
import dev.ebb.ui.page.LabPage;
import dev.ebb.ui.page.LoginPage;
import dev.ebb.ui.page.NewOperationPage;
import dev.ebb.ui.page.NodesPage;
import dev.ebb.ui.page.OperationsPage;
import dev.ebb.ui.page.OverviewPage;
import dev.ebb.ui.page.QueuePage;
import dev.ebb.ui.page.QueuesPage;
import dev.ebb.ui.page.ScheduleFormPage;
import dev.ebb.ui.page.SchedulePage;
import dev.ebb.ui.page.SchedulesPage;
import dev.ebb.ui.page.SettingsPage;
import dev.ebb.ui.page.SheetPage;
import dev.ebb.ui.page.SuggestionsPage;
import dev.ebb.ui.page.View;
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
              SchedulesPage.class,
              SchedulePage.class,
              ScheduleFormPage.class,
              SheetPage.class,
              SuggestionsPage.class,
              SettingsPage.class,
              LabPage.class));

  private Dashboard() {}
}
