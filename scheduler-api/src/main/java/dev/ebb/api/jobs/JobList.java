package dev.ebb.api.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Query;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.JobState;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.view.JobFilter;
import dev.ebb.db.view.JobReads;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Pages of jobs, newest first. */
final class JobList {
  static final int DEFAULT_LIMIT = 50;
  static final int MAX_LIMIT = 200;

  private final JobReads reads;

  JobList(JobReads reads) {
    this.reads = reads;
  }

  /**
   * A page, without payloads; it may be short, even empty, before the end.
   *
   * @param nextCursor of the next page; absent at the end
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Page(List<JobResource> items, @Nullable UUID nextCursor) {}

  Page page(Query query, Instant now) throws SQLException {
    int limit = query.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    JobReads.Page page = reads.list(filter(query), limit);
    return new Page(
        page.jobs().stream()
            .map(job -> JobResource.of(job, now, UnaryOperator.identity()))
            .toList(),
        page.next());
  }

  private static JobFilter filter(Query query) {
    String cursor = query.value("cursor");
    return new JobFilter(
        checked("queue", query.value("queue"), NewJob::requireQueue),
        state(query.value("state")),
        checked("kind", query.value("kind"), NewJob::requireKind),
        cursor == null ? null : JobIds.cursor(cursor));
  }

  private static @Nullable String checked(
      String name, @Nullable String value, Consumer<String> rule) {
    try {
      if (value != null) {
        rule.accept(value);
      }
      return value;
    } catch (InvalidInput invalid) {
      throw Refusal.parameter(name, invalid.rule());
    }
  }

  private static @Nullable JobState state(@Nullable String word) {
    if (word == null) {
      return null;
    }
    return Arrays.stream(JobState.values())
        .filter(state -> state.word().equals(word))
        .findFirst()
        .orElseThrow(() -> Refusal.parameter("state", "must be one of " + words()));
  }

  private static String words() {
    return Arrays.stream(JobState.values()).map(JobState::word).collect(Collectors.joining(", "));
  }
}
