package dev.ebb.api.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.access.Caller;
import dev.ebb.api.http.Paged;
import dev.ebb.api.http.Query;
import dev.ebb.core.query.JobFilter;
import dev.ebb.db.view.JobPage;
import dev.ebb.db.view.JobReads;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
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
   * @param looked how far the page looked for its jobs
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Page(List<JobResource> items, @Nullable String nextCursor, Looked looked)
      implements Paged {}

  /**
   * How far a page looked.
   *
   * @param backTo when the oldest job was submitted at which it looked; absent if there was none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Looked(int jobs, @Nullable Instant backTo) {}

  Page page(Query query, Caller caller, Instant now) throws SQLException {
    int limit = query.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    JobFilter filter = JobFilters.read(query, caller);
    JobPage page = reads.list(filter, JobCursor.read(query.value("cursor"), filter), limit);
    return new Page(
        page.jobs().stream()
            .map(job -> JobResource.of(job, now, UnaryOperator.identity()))
            .toList(),
        JobCursor.write(page.next(), filter),
        new Looked(page.looked().jobs(), page.looked().backTo()));
  }
}
