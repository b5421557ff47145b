package dev.ebb.api.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.access.Caller;
import dev.ebb.api.access.PayloadMask;
import dev.ebb.api.access.PayloadReader;
import dev.ebb.api.http.Query;
import dev.ebb.contract.Paged;
import dev.ebb.core.access.Scope;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobOrder;
import dev.ebb.db.view.JobPage;
import dev.ebb.db.view.JobReads;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Pages of jobs. */
final class JobList {
  static final int DEFAULT_LIMIT = 50;
  static final int MAX_LIMIT = 200;

  /** Jobs without payloads. */
  private static final String BASIC = "basic";

  /** Jobs as each of them is shown alone. */
  private static final String FULL = "full";

  private static final List<String> VIEWS = List.of(BASIC, FULL);

  private final JobReads reads;
  private final PayloadMask mask;

  JobList(JobReads reads, PayloadMask mask) {
    this.reads = reads;
    this.mask = mask;
  }

  /**
   * A page; it may be short, even empty, before the end.
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
   * @param backTo newest first: when the oldest job was submitted at which it looked
   * @param upTo oldest first: when the newest job was submitted at which it looked
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Looked(int jobs, @Nullable Instant backTo, @Nullable Instant upTo) {
    static Looked of(JobPage.Looked looked, JobOrder order) {
      Instant farthest = looked.farthest();
      return switch (order) {
        case NEWEST -> new Looked(looked.jobs(), farthest, null);
        case OLDEST -> new Looked(looked.jobs(), null, farthest);
      };
    }
  }

  Page page(Query query, Caller caller, Instant now) throws SQLException {
    JobFilter filter = JobFilters.read(query, caller);
    JobPage.Asked asked = asked(query, caller, filter);
    JobPage page = reads.list(filter, asked);
    PayloadReader reader = mask.of(caller);
    return new Page(
        page.jobs().stream().map(job -> JobResource.of(job, now, reader)).toList(),
        JobCursor.write(page.next(), filter, asked.order()),
        Looked.of(page.looked(), asked.order()));
  }

  private static JobPage.Asked asked(Query query, Caller caller, JobFilter filter) {
    int limit = query.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    JobOrder order = JobOrder.of(query.word("sort", JobOrder.words(), JobOrder.NEWEST.word()));
    boolean full = query.word("view", VIEWS, BASIC).equals(FULL);
    if (full) {
      caller.require(Scope.PAYLOAD_READ);
    }
    UUID after = JobCursor.read(query.value("cursor"), filter, order);
    return new JobPage.Asked(order, full, after, limit);
  }
}
