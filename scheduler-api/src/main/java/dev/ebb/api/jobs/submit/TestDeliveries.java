package dev.ebb.api.jobs.submit;

import dev.ebb.api.destinations.DestinationsController;
import dev.ebb.api.destinations.KnownDestinations;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.jobs.CardNumberCheck;
import dev.ebb.api.queues.QueuesController;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.json.DeliveryJson;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * Makes the job that tries a destination: one attempt, before other jobs, by the settings that hold
 * for all.
 */
public final class TestDeliveries {
  private static final String USUAL = "{\"type\":\"ebb.test\"}";

  private final Bodies bodies;
  private final KnownDestinations destinations;
  private final CardNumberCheck cards;

  TestDeliveries(Bodies bodies, KnownDestinations destinations, CardNumberCheck cards) {
    this.bodies = bodies;
    this.destinations = destinations;
    this.cards = cards;
  }

  /** The job; its body is the request's {@code body}, or else says that it is a test. */
  NewJob read(HttpServletRequest request, String destination) throws SQLException {
    QueuesController.requireName(destination);
    JsonObject asked = bodies.optional(request, "body");
    String body = asked.names("body") ? asked.value("body").text() : USUAL;
    cards.require(body, "/body");
    NewJob job =
        asked.build(() ->
            NewJob.builder(DeliveryJson.KIND, "{\"body\":" + body + "}")
                .queue(destination)
                .maxAttempts(1)
                .priority(0)
                .labels(Map.of("test", "true"))
                .build());
    asked.build(() -> {
      try {
        return DeliveryJson.read(job.payload());
      } catch (InvalidInput broken) {
        throw new InvalidInput("body", broken.rule());
      }
    });
    if (!destinations.missing(List.of(job)).isEmpty()) {
      throw DestinationsController.unknown(destination);
    }
    return job;
  }
}
