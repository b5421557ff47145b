package dev.ebb.api.system;

import dev.ebb.api.access.Needs;
import dev.ebb.api.access.Open;
import dev.ebb.api.http.Answer;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.server.Drain;
import dev.ebb.contract.Status;
import dev.ebb.core.access.Scope;
import dev.ebb.db.queue.Queues;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

/** Probes, metrics, and the API's description of itself. */
@Controller
public final class SystemController {
  private static final MediaType PROMETHEUS_TEXT =
      MediaType.parseMediaType("text/plain;version=0.0.4;charset=utf-8");

  private final ProcessState standing;
  private final Readiness readiness;
  private final Drain drain;
  private final PrometheusMeterRegistry meters;
  private final byte[] openApi;

  SystemController(
      Queues queues, ProcessState standing, Drain drain, PrometheusMeterRegistry meters)
      throws IOException {
    this.standing = standing;
    this.readiness = new Readiness(queues, standing);
    this.drain = drain;
    this.meters = meters;
    this.openApi = new ClassPathResource("/dev/ebb/api/openapi.json").getContentAsByteArray();
  }

  /** Says that the process serves; touches nothing else. */
  @GetMapping("/livez")
  @Open
  Answer alive() {
    return Answer.ok(new Status("alive"));
  }

  /** Says whether the process has started: it stays so, whatever becomes of the database. */
  @GetMapping("/startupz")
  @Open
  Answer started() {
    if (!standing.isStarted()) {
      throw Refusal.passing(
          ProblemCode.DATABASE_UNAVAILABLE, "The process is waiting for its database.", 1);
    }
    return Answer.ok(new Status("started"));
  }

  /** Says whether the database can be reached, and the process does its work. */
  @GetMapping("/readyz")
  @Open
  Answer ready() {
    if (drain.hasBegun()) {
      throw Refusal.passing(
          ProblemCode.STOPPING,
          "The process is stopping. It serves requests until its port closes.",
          1);
    }
    readiness.require();
    return Answer.ok(new Status("ready"));
  }

  @GetMapping("/metrics")
  @Needs(Scope.JOBS_READ)
  Answer metrics() {
    return Answer.text(PROMETHEUS_TEXT, meters.scrape().getBytes(StandardCharsets.UTF_8));
  }

  @GetMapping("/v1/openapi.json")
  @Open
  Answer openApiDocument() {
    return Answer.text(MediaType.APPLICATION_JSON, openApi);
  }
}
