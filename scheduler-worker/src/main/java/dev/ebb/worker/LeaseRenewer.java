package dev.ebb.worker;

import dev.ebb.db.JobQueue;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the leases of this node three times in their length, and writes progress. */
final class LeaseRenewer {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewer.class);

  private final JobQueue jobs;
  private final Leases leases;
  private final JobExecutor executor;
  private final Duration lease;
  private final Meters meters;

  LeaseRenewer(JobQueue jobs, Leases leases, JobExecutor executor, Duration lease, Meters meters) {
    this.jobs = jobs;
    this.leases = leases;
    this.executor = executor;
    this.lease = lease;
    this.meters = meters;
  }

  /** Renews every lease, and answers when to do so again. */
  Duration step() throws SQLException {
    if (!leases.isEmpty()) {
      List<Long> asked = leases.ids();
      long askedNanos = System.nanoTime();
      Map<Long, Boolean> there = jobs.renew(asked, lease);
      leases.renewed(there, askedNanos);
      dropLost(asked, there.keySet());
      reportProgress();
    }
    return lease.dividedBy(3);
  }

  /** A lease that the settler ended meanwhile is gone as well, and nothing is lost with it. */
  private void dropLost(List<Long> asked, Set<Long> alive) {
    List<Long> lost = new ArrayList<>(asked);
    lost.removeAll(alive);
    lost.removeIf(id -> !leases.isOpen(id));
    if (!lost.isEmpty()) {
      LOG.warn("lost {} leases: their jobs belong to other nodes now", lost.size());
      meters.leasesLost(lost.size());
      leases.drop(lost);
    }
  }

  private void reportProgress() throws SQLException {
    Map<Long, Map<UUID, String>> byLease = new HashMap<>();
    for (Execution execution : executor.running()) {
      String progress = execution.takeProgress();
      if (progress != null) {
        byLease
            .computeIfAbsent(execution.fencingToken(), _ -> new HashMap<>())
            .put(execution.job().id(), progress);
      }
    }
    for (Map.Entry<Long, Map<UUID, String>> entry : byLease.entrySet()) {
      jobs.reportProgress(entry.getKey(), entry.getValue());
    }
  }
}
