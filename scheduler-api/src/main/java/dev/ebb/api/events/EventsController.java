package dev.ebb.api.events;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Callers;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.http.QueryParameters.Filter;
import dev.ebb.core.access.Scope;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Streams events. */
@RestController
public final class EventsController {
  private static final Logger LOG = LoggerFactory.getLogger(EventsController.class);

  private final EventReader reader;
  private final Callers callers;
  private final StreamRules rules;
  private final StreamPlaces places;

  EventsController(EventReader reader, Callers callers, StreamRules rules, MeterRegistry meters) {
    this.reader = reader;
    this.callers = callers;
    this.rules = rules;
    this.places = new StreamPlaces(rules);
    Gauge.builder("ebb.event.streams", places, StreamPlaces::taken)
        .description("Open event streams of this process.")
        .register(meters);
  }

  @GetMapping("/v1/events")
  @Needs(Scope.JOBS_READ)
  @QueryParameters(
      value = {"job", "for"},
      repeated = "job",
      filter = Filter.EVENTS)
  void stream(HttpServletRequest request, HttpServletResponse response)
      throws InterruptedException {
    Caller caller = Caller.of(request);
    Query query = Query.of(request);
    EventFilter filter = EventFilters.read(query, caller);
    Duration length = query.duration("for", rules.longest(), rules.longest());
    Object share = callers.share(caller, request);
    places.take(share);
    EventStream stream = new EventStream(filter, lastEventId(request));
    try {
      response.setContentType("text/event-stream;charset=utf-8");
      response.setHeader("X-Accel-Buffering", "no");
      if (!request.getMethod().equals("HEAD")) {
        reader.add(stream);
        new StreamWriter(stream, rules, () -> callers.isLive(request), reader::age)
            .write(response.getOutputStream(), length);
      }
    } catch (IOException gone) {
      LOG.debug("A client left its stream of events", gone);
    } finally {
      stream.close();
      places.giveBack(share);
    }
  }

  private static @Nullable String lastEventId(HttpServletRequest request) {
    String id = request.getHeader("Last-Event-ID");
    return id == null || id.isBlank() ? null : id;
  }
}
