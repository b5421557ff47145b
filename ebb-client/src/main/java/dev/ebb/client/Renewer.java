package dev.ebb.client;

import dev.ebb.contract.LeaseRenewal;
import dev.ebb.contract.RenewedLease;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps the worker's leases and tells how far their attempts are, and hears which are lost, what is
 * cancelled, and whether to drain.
 */
final class Renewer {
  /** After one that failed. */
  static final Duration AGAIN = Duration.ofSeconds(1);

  private static final System.Logger LOG = System.getLogger(Renewer.class.getName());
  private static final int MOST = 100;

  /** What a server says to a body that it cannot take. */
  private static final Set<Integer> REFUSED = Set.of(400, 413);

  private final LeaseCalls calls;
  private final HeldLeases held;
  private volatile NewsLimit limit = NewsLimit.USUAL;
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

  /** Renews every lease; answers whether none has to be renewed again soon. */
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
      LeaseRenewal renewal = answer(leases, News.of(held.attempts(leases), limit));
      heard(renewal, sent);
      return renewal.renewed().size() + renewal.lost().size() >= leases.size();
    } catch (IOException | RuntimeException failed) {
      LOG.log(System.Logger.Level.WARNING, "leases are not renewed: {0}", failed.toString());
      return false;
    }
  }

  /** What the server does not take of the news must not cost a lease. */
  private LeaseRenewal answer(List<String> leases, News news)
      throws IOException, InterruptedException {
    try {
      LeaseRenewal renewal = calls.renew(leases, news);
      news.heard(renewal.renewed().stream().map(RenewedLease::lease).collect(Collectors.toSet()));
      limit = limit.taken();
      return renewal;
    } catch (EbbProblem problem) {
      if (news.isEmpty() || !REFUSED.contains(problem.status())) {
        throw problem;
      }
      LOG.log(System.Logger.Level.WARNING, "progress is refused: {0}", problem.getMessage());
      refused(news, problem.status());
      return calls.renew(leases, News.NONE);
    }
  }

  /** That of one job is not told again until it changes; of several, any may be at fault. */
  private void refused(News news, int status) {
    if (news.jobs() == 1) {
      news.heard();
    } else {
      limit = limit.refused(news.bytes(), news.jobs(), status);
    }
  }

  private void heard(LeaseRenewal renewal, long sent) {
    for (RenewedLease renewed : renewal.renewed()) {
      held.renewed(renewed.lease(), sent);
    }
    renewal.lost().forEach(held::lost);
    held.cancel(renewal.cancel());
    draining = renewal.drain();
  }

  /** Gives up the leases whose time is over. */
  void expire() {
    for (String lease : held.expire(System.nanoTime())) {
      LOG.log(System.Logger.Level.WARNING, "lease {0} could not be renewed in time", lease);
    }
  }
}
