package dev.ebb.app.roles;

import static java.util.Objects.requireNonNull;

import dev.ebb.api.EbbApi;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a node that serves, in two lines that do not wait for each other.
 *
 * <pre>
 *   SIGTERM ─┬─ /readyz 503 ─ requests served, each connection ended ─▶ the port closes ─┐
 *            │                  EBB_SHUTDOWN_DELAY                                        ├─▶ end
 *            └─ claims no more ─ running jobs end, or are given back ─────────────────────┘
 *                               EBB_DRAIN
 * </pre>
 *
 * <p>A balancer learns from {@code /readyz} that the node goes, some seconds late: until then it
 * sends requests, which must not meet a closed port.
 */
final class NodeDrain implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeDrain.class);

  private final Duration delay;
  private final @Nullable EbbApi api;
  private final Deque<AutoCloseable> working = new ArrayDeque<>();
  private final CountDownLatch hurried = new CountDownLatch(1);
  private volatile boolean begun;

  /**
   * @param delay for which requests are served
   * @param api {@code null} for a node that serves none
   */
  NodeDrain(Duration delay, @Nullable EbbApi api) {
    this.delay = delay;
    this.api = api;
  }

  /** Adds a part that ends at once, in the opposite order of those that were added. */
  <T extends AutoCloseable> T add(T part) {
    working.push(part);
    return part;
  }

  boolean hasBegun() {
    return begun;
  }

  /** Ends the delay, this one or the next. */
  void hurry() {
    hurried.countDown();
  }

  @Override
  public void close() throws InterruptedException {
    begun = true;
    Thread listener = api == null ? null : Thread.ofPlatform().name("ebb-drain").start(this::serve);
    while (!working.isEmpty()) {
      Lifetime.close(working.pop());
    }
    if (listener != null) {
      listener.join();
    }
  }

  private void serve() {
    EbbApi serving = requireNonNull(api);
    LOG.info(
        "drain begins: /readyz answers 503, requests are served for {} s more", delay.toSeconds());
    serving.drain();
    try {
      var _ = hurried.await(delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException nobodyWaits) {
      Thread.currentThread().interrupt();
    }
    serving.stopListening();
    LOG.info("drain ended: no more requests are taken");
  }
}
