package dev.ebb.api.events;

import dev.ebb.db.event.Event.ChangeEvent;
import dev.ebb.db.event.Event.JobEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What of a read a filter lets through: found, and summed up, once for all streams that have it.
 */
final class FilteredNews {
  private final List<News> all = new ArrayList<>();
  private final List<News> jobs = new ArrayList<>();
  private final List<News> changes = new ArrayList<>();
  private @Nullable JobSums sums;

  FilteredNews(EventFilter filter, List<News> news) {
    for (News one : news) {
      if (filter.lets(one.event())) {
        all.add(one);
        switch (one.event()) {
          case JobEvent _ -> jobs.add(one);
          case ChangeEvent _ -> changes.add(one);
        }
      }
    }
  }

  /** In the order of the read. */
  List<News> all() {
    return all;
  }

  List<News> jobs() {
    return jobs;
  }

  List<News> changes() {
    return changes;
  }

  /** Of the jobs: several streams have it, so nobody adds to it. */
  JobSums sums() {
    JobSums known = sums;
    if (known == null) {
      known = new JobSums();
      for (News job : jobs) {
        known.add((JobEvent) job.event());
      }
      sums = known;
    }
    return known;
  }
}
