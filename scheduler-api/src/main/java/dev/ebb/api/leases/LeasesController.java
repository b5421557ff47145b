package dev.ebb.api.leases;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Liveness;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonText;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.server.Peer;
import dev.ebb.contract.LeaseProtocol;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Scope;
import dev.ebb.db.poll.Ending;
import dev.ebb.db.poll.PolledLease;
import dev.ebb.db.poll.Renewal;
import dev.ebb.db.poll.Settled;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;

/** Leases jobs to workers that poll. */
@Controller
public final class LeasesController {
  private static final String JSON = "application/json";
  private static final String PROTOCOL = "Ebb-Protocol";
  private static final String HELD = "Ebb-Held";
  private static final int REVISION = 1;
  private static final int MOST_LEASES = 100;
  private static final int MOST_RESULTS = 500;
  private static final int MOST_PROGRESS_BYTES = 8_192;
  private static final LeaseProtocol LIMITS =
      new LeaseProtocol(
          REVISION,
          Poll.MOST_QUEUES,
          Poll.MOST_KINDS,
          Poll.MOST_JOBS,
          MOST_LEASES,
          MOST_RESULTS,
          Poll.SHORTEST_LEASE,
          Poll.LONGEST_LEASE,
          Poll.LONGEST_WAIT);

  private final Bodies bodies;
  private final Leasing leasing;
  private final InstantSource clock = InstantSource.system();

  LeasesController(Bodies bodies, Leasing leasing) {
    this.bodies = bodies;
    this.leasing = leasing;
  }

  @GetMapping(path = "/v1/leases/protocol", produces = JSON)
  @Needs(Scope.JOBS_WORK)
  Answer protocol() {
    return versioned(Answer.ok(LIMITS));
  }

  /** Waits for due jobs; a lease that does not reach its worker is given back. */
  @PostMapping("/v1/leases")
  @Needs(Scope.JOBS_WORK)
  Answer poll(JsonObject body, Caller caller, Liveness token) throws Exception {
    Leasing.Polled polled = leasing.poll(Poll.read(body, caller), Peer.current()::hasHungUp);
    PolledLease lease = polled.lease();
    if (lease == null) {
      return nothing(polled.held());
    }
    try {
      token.require();
    } catch (Refusal dead) {
      leasing.giveBack(lease, caller.key());
      throw dead;
    }
    return versioned(Answer.ok(LeaseResource.of(lease)))
        .unlessWritten(() -> leasing.giveBack(lease, caller.key()));
  }

  private static Answer nothing(Waiter.@Nullable Held held) {
    Answer answer = versioned(Answer.none());
    return held == null ? answer : answer.with(HELD, held.word());
  }

  @PostMapping(path = "/v1/leases/renew", produces = JSON)
  @Needs(Scope.JOBS_WORK)
  Answer renew(JsonObject body, Caller caller) throws SQLException {
    body.allow("worker", "leases", "progress");
    String worker = body.build(() -> Poll.worker(body));
    List<Long> leases = body.build(() -> leases(body));
    Renewal renewal = leasing.renew(worker, leases, caller.key(), progress(body));
    return versioned(Answer.ok(LeaseResource.of(leases, renewal)));
  }

  /** Bounded also as PostgreSQL writes it: {@code 1e99} becomes a hundred digits. */
  private static @Nullable String progress(JsonObject body) {
    if (!body.has("progress")) {
      return null;
    }
    JsonObject progress = body.object("progress");
    for (JsonValue job : progress.members().values()) {
      if (job.text().getBytes(StandardCharsets.UTF_8).length > MOST_PROGRESS_BYTES) {
        throw Refusal.field(
            job.pointer(), "must be at most " + MOST_PROGRESS_BYTES + " bytes of UTF-8");
      } else if (JsonText.hasLargeExponent(job.text())) {
        throw Refusal.field(job.pointer(), "must have no number with an exponent above 99");
      }
    }
    return progress.text();
  }

  private static List<Long> leases(JsonObject body) {
    List<String> ids = body.strings("leases", MOST_LEASES + 1);
    InvalidInput.require(
        !ids.isEmpty() && ids.size() <= MOST_LEASES, "leases", "must name 1 to " + MOST_LEASES);
    return ids.stream().map(id -> EndingBody.lease(id, "leases")).distinct().toList();
  }

  @PostMapping(path = "/v1/leases/settle", produces = JSON)
  @Needs(Scope.JOBS_WORK)
  Answer settle(HttpServletRequest request, Caller caller) throws Exception {
    List<Ending> endings = bodies.batch(request, LeasesController::endings);
    Settled settled = leasing.settle(endings, caller.key());
    return versioned(Answer.ok(LeaseResource.of(settled, clock.instant())));
  }

  private static List<Ending> endings(JsonObject body) {
    body.allow("worker", "results");
    body.build(() -> Poll.worker(body));
    List<JsonValue> results = body.list("results", MOST_RESULTS + 1);
    if (results.isEmpty() || results.size() > MOST_RESULTS) {
      throw Refusal.field("/results", "must have 1 to " + MOST_RESULTS + " results");
    }
    return results.stream().map(JsonObject::of).map(EndingBody::read).toList();
  }

  /** Its polls wait no longer; its leases stay until they are settled or expire. */
  @PostMapping("/v1/leases/stop")
  @Needs(Scope.JOBS_WORK)
  Answer stop(JsonObject body, Caller caller) throws SQLException {
    body.allow("worker");
    leasing.stop(body.build(() -> Poll.worker(body)), caller.key());
    return versioned(Answer.none());
  }

  private static Answer versioned(Answer answer) {
    return answer.with(PROTOCOL, Integer.toString(REVISION));
  }
}
