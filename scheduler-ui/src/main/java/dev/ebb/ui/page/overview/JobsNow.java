package dev.ebb.ui.page.overview;

import dev.ebb.contract.Forecast;
import dev.ebb.contract.JobCount;
import dev.ebb.contract.StatsOverview;
import dev.ebb.ui.page.Page;
import java.util.ArrayList;
import java.util.List;

/**
 * How many jobs are in each phase that does not last. What is due is read where the forecast of the
 * next hour reads it, so that both tell of the same number.
 */
public record JobsNow(List<Count> counts) {
  /** How many jobs are in a phase. */
  public record Count(String phase, long jobs, boolean exact) {}

  static JobsNow read(Page page) {
    StatsOverview overview = page.get(StatsOverview.class, "/v1/stats/overview?limit=1");
    JobCount waiting = page.get(JobCount.class, "/v1/jobs/count?q=state:available");
    Forecast.Overdue due = page.get(Forecast.class, "/v1/stats/forecast").overdue();
    List<Count> counts = new ArrayList<>();
    counts.add(new Count("due", due.jobs(), due.exact()));
    for (String phase : List.of("scheduled", "retrying", "held")) {
      long jobs = waiting.byState().getOrDefault(phase, 0L);
      counts.add(new Count(phase, jobs, waiting.statesExact()));
    }
    boolean exact = overview.exactSince() != null;
    counts.add(new Count("running", overview.all().inFlight(), true));
    counts.add(new Count("dead_letter", overview.all().deadLetters(), exact));
    return new JobsNow(counts);
  }
}
