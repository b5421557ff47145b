package dev.ebb.api.events;

import dev.ebb.api.access.Caller;
import dev.ebb.api.http.Ids;
import dev.ebb.api.http.Query;
import dev.ebb.api.jobs.JobFilters;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.query.JobFilter;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Reads the filter of a stream from the parameters of a request. */
final class EventFilters {
  private static final int MOST_IDS = 100;

  private EventFilters() {}

  static EventFilter read(Query query, Caller caller) {
    JobFilter jobs = JobFilters.read(query, caller);
    if (jobs.payload() != null) {
      throw Refusal.parameter("q", "must not filter by payload: events have none");
    }
    if (jobs.group() != null) {
      throw Refusal.parameter("q", "must not filter by group: a dead letter gets its group later");
    }
    if (jobs.orderingKey() != null) {
      throw Refusal.parameter("q", "must not filter by ordering key: events have none");
    }
    if (!jobs.due().isAny()) {
      throw Refusal.parameter("q", "must not filter by due time: events have none");
    }
    if (Collections.disjoint(jobs.phases(), EventFilter.PHASES)) {
      throw Refusal.parameter(
          query.values("state").isEmpty() ? "q" : "state",
          "must name completed, cancelled, dead_letter or retrying: events leave jobs in no other"
              + " state");
    }
    return new EventFilter(jobs, ids(query.values("job")));
  }

  private static Set<UUID> ids(List<String> texts) {
    if (texts.size() > MOST_IDS) {
      throw Refusal.parameter("job", "must be given at most " + MOST_IDS + " times");
    }
    Set<UUID> ids = new HashSet<>();
    for (String text : texts) {
      ids.add(
          Ids.read(text).orElseThrow(() -> Refusal.parameter("job", "must be the id of a job")));
    }
    return ids;
  }
}
