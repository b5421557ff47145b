package dev.ebb.ui.page;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.problem.CutAnswer;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.ui.answer.ItemList;
import dev.ebb.ui.sheet.CsvSheet;
import dev.ebb.ui.sheet.JsonSheet;
import dev.ebb.ui.sheet.Sheet;
import dev.ebb.ui.sheet.SheetWriter;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The rows of a list's filter as a file. */
@RestController
public final class SheetPage {
  private static final int AT_A_TIME = 4;

  private static final Map<String, Listing> LISTS =
      Map.of(
          "jobs",
          new Listing(
              "/v1/jobs",
              "200",
              "id state phase kind queue priority attempt maxAttempts runAt createdAt startedAt"
                  + " endedAt node uniqueKey labels lastError.reason lastError.message deadReason"
                  + " cancelRequested"),
          "dead",
          new Listing(
              "/v1/dead-letters/groups",
              "100",
              "id queue kind errorReason pattern counts.1h counts.3h counts.24h counts.3d counts.7d"
                  + " counts.all exact firstSeenAt lastSeenAt acknowledged acknowledgedAt"
                  + " acknowledgedBy sinceAcknowledged note"),
          "queues",
          new Listing("/v1/stats/overview", "200", "queue jobs inFlight oldestDueAge deadLetters"),
          "schedules",
          new Listing(
              "/v1/schedules",
              "200",
              "name cron every words timeZone startAt endAt exclude job.kind job.queue"
                  + " job.uniqueKey job.labels misfire mostMisfires overlap paused pause.since"
                  + " pause.by pause.reason nextFireAt lastFire.fireAt lastFire.result"
                  + " lastFire.missed lastFire.jobId lastFire.jobState waitingFires createdAt"
                  + " changedAt"),
          "operations",
          new Listing(
              "/v1/operations",
              "200",
              "id action state stateReason query idCount matched matchedExact done skipped"
                  + " succeeded failed stage ratePerSecond startedBy reason createdAt endedAt"),
          "nodes",
          new Listing(
              "/v1/nodes",
              "200",
              "id role state version settingsHash queues kinds concurrency inFlight startedAt"
                  + " heartbeatAt stoppedAt clockSkew"),
          "audit",
          new Listing(
              "/v1/audit", "200", "id at actor tokenId address action subject affected reason"));

  private final View view;
  private final Semaphore places = new Semaphore(AT_A_TIME);

  SheetPage(View view) {
    this.view = view;
  }

  /**
   * A list of the API.
   *
   * @param limit the most that it answers at a time
   * @param columns of a table of it, between blanks
   */
  private record Listing(String path, String limit, String columns) {
    String at(@Nullable String filter, @Nullable String cursor) {
      String page = Url.of(path, "limit", limit, "cursor", cursor);
      return filter == null ? page : page + "&" + filter;
    }

    Sheet sheet(String form) {
      return form.equals("csv") ? new CsvSheet(List.of(columns.split(" "))) : new JsonSheet();
    }
  }

  @GetMapping(View.ROOT + "/{list:[a-z]+}.{form:csv|json}")
  @Open
  @QueryParameters({"q", "queue", "kind", "actor", "action", "subject", "from", "to"})
  void show(
      HttpServletRequest request,
      HttpServletResponse response,
      @PathVariable String list,
      @PathVariable String form)
      throws IOException {
    Page page = view.page(request, response);
    Listing listing = LISTS.get(list);
    if (listing == null) {
      throw Refusal.of(ProblemCode.NOT_FOUND, "No list has this name.");
    }
    if (!places.tryAcquire()) {
      throw Refusal.busy("Others download tables at the moment. Try again.");
    }
    try {
      String filter = request.getQueryString();
      ItemList first = page.get(ItemList.class, listing.at(filter, null));
      Sheet sheet = listing.sheet(form);
      response.setContentType(sheet.type());
      response.setHeader("Content-Disposition", disposition(page, list, form));
      new SheetWriter(sheet, response.getOutputStream(), System::nanoTime)
          .write(first, cursor -> next(page, listing.at(filter, cursor)));
    } finally {
      places.release();
    }
  }

  private static String disposition(Page page, String list, String form) {
    return "attachment; filename=\"ebb-"
        + list
        + "-"
        + page.now().atZone(ZoneOffset.UTC).toLocalDate()
        + "."
        + form
        + "\"";
  }

  private static ItemList next(Page page, String target) {
    try {
      return page.get(ItemList.class, target);
    } catch (PageFailure refused) {
      throw new CutAnswer(refused);
    }
  }
}
