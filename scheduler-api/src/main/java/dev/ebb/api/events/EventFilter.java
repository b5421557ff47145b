package dev.ebb.api.events;

import dev.ebb.core.query.FilterMatch;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.Phase;
import dev.ebb.db.event.Event;
import dev.ebb.db.event.Event.ChangeEvent;
import dev.ebb.db.event.Event.JobEvent;
import dev.ebb.db.event.EventNeeds;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;

/**
 * Which events a stream tells.
 *
 * @param jobs what must hold of a job
 * @param ids of which it must be one; empty for any
 */
record EventFilter(JobFilter jobs, Set<UUID> ids) {
  /** Where an event may leave a job. */
  static final Set<Phase> PHASES =
      EnumSet.of(Phase.COMPLETED, Phase.CANCELLED, Phase.DEAD_LETTER, Phase.RETRYING);

  EventFilter {
    ids = Set.copyOf(ids);
  }

  boolean lets(Event event) {
    return switch (event) {
      case JobEvent job ->
          (ids.isEmpty() || ids.contains(job.facts().id()))
              && FilterMatch.matches(jobs, job.facts());
      case ChangeEvent change -> letsChange(change);
    };
  }

  EventNeeds needs() {
    return new EventNeeds(FilterMatch.asksForLabels(jobs), FilterMatch.asksForErrors(jobs));
  }

  /**
   * A change tells its subject alone. So those of the jobs and queues that the filter names are let
   * through, all where it names nothing, and none where it asks for what a change does not tell.
   * Whether anything runs concerns every job.
   */
  private boolean letsChange(ChangeEvent change) {
    if (change.isOfStart()) {
      return true;
    }
    if (!ids.isEmpty()) {
      return change.action().startsWith("job.") && names(change.subject());
    }
    if (jobs.equals(JobFilter.ALL)) {
      return true;
    }
    return asksForQueuesAlone()
        && change.action().startsWith("queue.")
        && jobs.queues().wanted().contains(change.subject());
  }

  private boolean names(String id) {
    return ids.stream().anyMatch(one -> one.toString().equals(id));
  }

  private boolean asksForQueuesAlone() {
    return jobs.inAnyQueue().equals(JobFilter.ALL);
  }
}
