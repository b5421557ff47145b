package dev.ebb.api.forecast;

import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.queues.LimiterResource;
import dev.ebb.contract.Limiter;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.forecast.Forecasts;
import dev.ebb.db.queue.Limiters;
import java.sql.SQLException;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** Shows how many jobs become due in each minute of the next hour. */
@Controller
@RequestMapping(produces = "application/json")
public final class ForecastController {
  private final Forecasts forecasts;
  private final Limiters limiters;

  ForecastController(Forecasts forecasts, Limiters limiters) {
    this.forecasts = forecasts;
    this.limiters = limiters;
  }

  @GetMapping("/v1/stats/forecast")
  @Needs(Scope.JOBS_READ)
  @QueryParameters("queue")
  Answer forecast(Query query) throws SQLException {
    String queue = query.value("queue");
    try {
      if (queue != null) {
        NewJob.requireQueue(queue);
      }
    } catch (InvalidInput invalid) {
      throw Refusal.parameter("queue", invalid.rule());
    }
    Limiter limiter = queue == null ? null : LimiterResource.find(limiters, queue);
    return Answer.ok(ForecastResource.of(forecasts.next(queue), limiter));
  }
}
