package dev.ebb.client;

import dev.ebb.contract.LeaseRenewal;
import dev.ebb.contract.RenewedLease;
import java.io.IOException;
import java.util.List;

/**
 * Keeps the worker's leases and tells how far their attempts are, and hears which are lost, what is
 * cancelled, and whether to drain.
 */
final class Renewer {
  private static final System.Logger LOG = System.getLogger(Renewer.class.getName());
  private static final int MOST = 100;

  private final LeaseCalls calls;
  private final HeldLeases held;
  private volatile boolean draining;

  Renewer(LeaseCalls calls, HeldLeases held) {
    this.calls = calls;
    this.held = held;
  }

  boolean isDraining() {
    return draining;
  }

  /** As a poll was told. */
  void draining(boolean draining) {
    this.draining = draining;
  }

  /** Renews every lease; answers whether all requests were answered. */
  boolean renew() throws InterruptedException {
    List<String> leases = held.ids();
    boolean heard = true;
    for (int from = 0; from < leases.size(); from += MOST) {
      heard &= renew(leases.subList(from, Math.min(from + MOST, leases.size())));
    }
    return heard;
  }

  private boolean renew(List<String> leases) throws InterruptedException {
    long sent = System.nanoTime();
    try {
      LeaseRenewal renewal = calls.renew(leases, held.progress(leases));
      for (RenewedLease renewed : renewal.renewed()) {
        held.renewed(renewed.lease(), sent);
      }
      renewal.lost().forEach(held::lost);
      held.cancel(renewal.cancel());
      draining = renewal.drain();
      return true;
    } catch (IOException | RuntimeException failed) {
      LOG.log(System.Logger.Level.WARNING, "leases are not renewed: {0}", failed.toString());
      return false;
    }
  }

  /** Gives up the leases whose time is over. */
  void expire() {
    for (String lease : held.expire(System.nanoTime())) {
      LOG.log(System.Logger.Level.WARNING, "lease {0} could not be renewed in time", lease);
    }
  }
}
