package dev.ebb.ui.page.overview;

import dev.ebb.contract.Forecast;
import dev.ebb.contract.JobCount;
import dev.ebb.contract.StatsOverview;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.words.Words;
import java.util.ArrayList;
import java.util.List;

/**
 * How many jobs are in each phase that does not last, as far as that is known. What is due is read
 * where the forecast of the next hour reads it, so that both tell of the same number.
 */
public record JobsNow(List<Count> counts) {
  private static final String COUNT = "/v1/jobs/count?q=state:";

  /** How many jobs are in a phase. */
  public record Count(String phase, long jobs, boolean exact) {}

  static JobsNow read(Page page) {
    StatsOverview overview = page.get(StatsOverview.class, "/v1/stats/overview?limit=1");
    Forecast.Overdue due = page.get(Forecast.class, "/v1/stats/forecast").overdue();
    List<Count> counts = new ArrayList<>();
    counts.add(new Count("due", due.jobs(), due.exact()));
    JobCount later = later(page);
    for (String phase : List.of("scheduled", "retrying", "held", "blocked")) {
      long jobs = later.byState().getOrDefault(phase, 0L);
      counts.add(new Count(phase, jobs, later.statesExact()));
    }
    boolean exact = overview.exactSince() != null;
    counts.add(new Count("running", overview.all().inFlight(), true));
    counts.add(new Count("dead_letter", overview.all().deadLetters(), exact));
    counts.removeIf(one -> !Words.isKnown(one.jobs(), one.exact()));
    return new JobsNow(counts);
  }

  /** Those that are not due are mostly few; of many, their sum with the due ones is known. */
  private static JobCount later(Page page) {
    JobCount counted = page.get(JobCount.class, COUNT + "scheduled,retrying,held,blocked");
    return counted.statesExact() ? counted : page.get(JobCount.class, COUNT + "available");
  }
}
