package dev.ebb.api.findings;

import dev.ebb.api.destinations.CircuitResource;
import dev.ebb.api.queues.LimiterResource;
import dev.ebb.api.queues.QueueResource;
import dev.ebb.contract.Circuit;
import dev.ebb.contract.DatabaseHealth.DueQueue;
import dev.ebb.contract.Limiter;
import dev.ebb.contract.Queue;
import dev.ebb.db.queue.CertificateEnd;
import dev.ebb.db.queue.Circuits;
import dev.ebb.db.queue.DestinationReads;
import dev.ebb.db.queue.Limiters;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.stats.Overview;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads what keeps the jobs of queues. */
public final class QueueTroubles {
  /** A certificate that ends no later may need people who are away today. */
  private static final Duration SOON = Duration.ofDays(30);

  private final Queues queues;
  private final DestinationReads destinations;
  private final Limiters limiters;
  private final Circuits circuits;

  QueueTroubles(
      Queues queues, DestinationReads destinations, Limiters limiters, Circuits circuits) {
    this.queues = queues;
    this.destinations = destinations;
    this.limiters = limiters;
    this.circuits = circuits;
  }

  /** Queues that are paused, the latest first. */
  List<Queue> paused(int most) throws SQLException {
    return queues.paused(most).stream().map(QueueResource::of).toList();
  }

  /** The queues that have due jobs. */
  List<DueQueue> due(Overview overview) throws SQLException {
    Set<String> paused = queues.pausedNames();
    return overview.queues().stream().flatMap(queue -> queue.due(paused).stream()).toList();
  }

  /** The first circuits that are not closed, the oldest first. */
  List<Circuit> open(int most) throws SQLException {
    return circuits.open(most).stream()
        .map(CircuitResource::of)
        // What this version cannot read counts as closed.
        .filter(circuit -> circuit.openSince() != null)
        .sorted(Comparator.comparing(Circuit::openSince))
        .toList();
  }

  /** Client certificates that end soon or have ended, the first first. */
  List<CertificateEnd> certificateEnds(int most) throws SQLException {
    return destinations.certificateEnds(SOON, most);
  }

  /** The limiters whose rate throttling cut. */
  Map<String, Limiter> cut(int most) throws SQLException {
    Map<String, Limiter> cut = new LinkedHashMap<>();
    for (String queue : queues.cut(most)) {
      Limiter limiter = LimiterResource.find(limiters, queue);
      if (limiter != null) {
        cut.put(queue, limiter);
      }
    }
    return cut;
  }
}
