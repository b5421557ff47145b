package dev.ebb.ui.page.files;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.ui.sheet.CsvSheet;
import dev.ebb.ui.sheet.JsonSheet;
import dev.ebb.ui.sheet.Sheet;
import dev.ebb.ui.words.Url;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A list of the API that people take away as a file.
 *
 * @param name behind {@code /ui/}; of a list that belongs to one thing, with what owns it
 * @param path with {@code OWNER} in place of that thing
 * @param limit the most that it answers at a time
 * @param columns of a table of it, between blanks
 */
record Listing(String name, String path, String limit, String columns) {
  private static final String OWNER = "OWNER";

  private static final Map<String, Listing> ALL =
      Stream.of(
              new Listing(
                  "jobs",
                  "/v1/jobs",
                  "200",
                  "id uniqueKey subject state phase kind queue priority attempt maxAttempts runAt"
                      + " createdAt startedAt endedAt node destination labels orderingKey"
                      + " lastError.reason lastError.message deadReason cancelRequested"),
              new Listing(
                  "jobs/attempts",
                  "/v1/jobs/OWNER/attempts",
                  "200",
                  "number startedAt endedAt node outcome error.reason error.message"
                      + " detail.response.status detail.millis.total"),
              new Listing(
                  "dead",
                  "/v1/dead-letters/groups",
                  "100",
                  "id subject otherSubjects groups queue kind errorReason pattern counts.1h"
                      + " counts.3h counts.24h counts.3d counts.7d counts.all exact"
                      + " firstSeenAt lastSeenAt acknowledged acknowledgedAt acknowledgedBy"
                      + " sinceAcknowledged note"),
              new Listing(
                  "queues",
                  "/v1/stats/overview",
                  "200",
                  "queue jobs inFlight oldestDueAge deadLetters"),
              new Listing(
                  "schedules",
                  "/v1/schedules",
                  "200",
                  "name cron every words timeZone startAt endAt exclude job.kind job.queue"
                      + " job.uniqueKey job.labels misfire mostMisfires overlap paused pause.since"
                      + " pause.by pause.reason nextFireAt lastFire.fireAt lastFire.result"
                      + " lastFire.missed lastFire.jobId lastFire.jobState waitingFires createdAt"
                      + " changedAt"),
              new Listing(
                  "schedules/fires",
                  "/v1/schedules/OWNER/fires",
                  "200",
                  "fireAt firedAt result byHand missed jobId jobState node error"),
              new Listing(
                  "operations",
                  "/v1/operations",
                  "200",
                  "id action state stateReason query idCount matched matchedExact done skipped"
                      + " succeeded failed stage ratePerSecond startedBy reason createdAt endedAt"),
              new Listing(
                  "nodes",
                  "/v1/nodes",
                  "200",
                  "id role state version settingsHash queues kinds concurrency inFlight startedAt"
                      + " heartbeatAt stoppedAt clockSkew"),
              new Listing(
                  "audit",
                  "/v1/audit",
                  "200",
                  "id at actor tokenId address action subject affected reason"),
              new Listing(
                  "tokens",
                  "/v1/tokens",
                  "200",
                  "id name role scopes createdBy createdById createdAt expiresAt lastUsedAt"
                      + " revokedAt"))
          .collect(Collectors.toUnmodifiableMap(Listing::name, Function.identity()));

  /** The list of that name. */
  static Listing of(String name) {
    Listing listing = ALL.get(name);
    if (listing == null) {
      throw Refusal.of(ProblemCode.NOT_FOUND, "No list has this name.");
    }
    return listing;
  }

  /** The same of one thing. */
  Listing ofOwner(String owner) {
    return new Listing(name, path.replace(OWNER, Url.segment(owner)), limit, columns);
  }

  /** Where the API has the part of it that begins at the cursor. */
  String at(@Nullable String filter, @Nullable String cursor) {
    String page = Url.of(path, "limit", limit, "cursor", cursor);
    return filter == null ? page : page + "&" + filter;
  }

  Sheet sheet(String form) {
    return form.equals("csv") ? new CsvSheet(List.of(columns.split(" "))) : new JsonSheet();
  }

  /** The list alone: attempts, fires. */
  String word() {
    return name.substring(name.indexOf('/') + 1);
  }
}
