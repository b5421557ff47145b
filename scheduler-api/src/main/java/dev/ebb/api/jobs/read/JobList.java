package dev.ebb.api.jobs.read;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.PayloadMask;
import dev.ebb.api.access.PayloadReader;
import dev.ebb.api.http.Query;
import dev.ebb.api.jobs.JobFilters;
import dev.ebb.api.jobs.JobResource;
import dev.ebb.contract.JobList.SearchReach;
import dev.ebb.core.access.Scope;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobOrder;
import dev.ebb.db.view.JobPage;
import dev.ebb.db.view.JobReads;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

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

  dev.ebb.contract.JobList page(Query query, Caller caller, Instant now) throws SQLException {
    JobFilter filter = JobFilters.read(query, caller);
    JobPage.PageRequest asked = asked(query, caller, filter);
    JobPage page = reads.list(filter, asked);
    PayloadReader reader = mask.of(caller);
    return new dev.ebb.contract.JobList(
        page.jobs().stream().map(job -> JobResource.of(job, now, reader)).toList(),
        JobCursor.write(page.next(), filter, asked.order()),
        looked(page.looked(), asked.order()));
  }

  private static JobPage.PageRequest asked(Query query, Caller caller, JobFilter filter) {
    int limit = query.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    JobOrder order = JobOrder.of(query.word("sort", JobOrder.words(), JobOrder.NEWEST.word()));
    boolean full = query.word("view", VIEWS, BASIC).equals(FULL);
    if (full) {
      caller.require(Scope.PAYLOAD_READ);
    }
    UUID after = JobCursor.read(query.value("cursor"), filter, order);
    return new JobPage.PageRequest(order, full, after, limit);
  }

  private static SearchReach looked(JobPage.SearchReach looked, JobOrder order) {
    Instant farthest = looked.farthest();
    return switch (order) {
      case NEWEST -> new SearchReach(looked.jobs(), farthest, null);
      case OLDEST -> new SearchReach(looked.jobs(), null, farthest);
    };
  }
}
