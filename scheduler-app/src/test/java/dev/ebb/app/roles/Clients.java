package dev.ebb.app.roles;

import dev.ebb.db.Await;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Who submits deliveries over REST, each under a key that is repeated until it is acknowledged. */
final class Clients implements AutoCloseable {
  private static final int NUMBER = 4;
  private static final Duration AGAIN = Duration.ofMillis(20);
  private static final Duration NEXT = Duration.ofMillis(100);
  private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");

  private final List<NodeProcess> nodes;
  private final Merchant merchant;
  private final Set<UUID> acknowledged = ConcurrentHashMap.newKeySet();
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();
  private volatile Watch watch = new Watch(System.nanoTime(), new CompletableFuture<>());

  /** Who waits for the first acknowledgement of what is asked after a time. */
  private record Watch(long afterNanos, CompletableFuture<Long> seen) {}

  Clients(List<NodeProcess> nodes, Merchant merchant) {
    this.nodes = nodes;
    this.merchant = merchant;
    for (int client = 0; client < NUMBER; client++) {
      int number = client;
      threads.add(Thread.ofPlatform().daemon().start(() -> submit(number)));
    }
  }

  private void submit(int client) {
    try {
      for (int i = 0; !over.await(NEXT.toMillis(), TimeUnit.MILLISECONDS); i++) {
        submit(client, client + "-" + i);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void submit(int client, String key) throws Exception {
    String job =
        """
        {"kind": "http", "payload": {"url": "%s"},
          "policy": {"base": "PT0.2S", "cap": "PT1S", "maxAttempts": 100}}
        """
            .formatted(merchant.url(key));
    for (int tries = client; !isAcknowledged(nodes.get(tries % nodes.size()), job, key); tries++) {
      LockSupport.parkNanos(AGAIN.toNanos());
    }
  }

  private boolean isAcknowledged(NodeProcess node, String job, String key) throws Exception {
    long asked = System.nanoTime();
    HttpResponse<String> answer;
    try {
      answer = node.submit(job, key);
    } catch (IOException broken) {
      return false;
    }
    Matcher id = ID.matcher(answer.body());
    if (answer.statusCode() >= 300 || !id.find()) {
      return false;
    }
    acknowledged.add(UUID.fromString(id.group(1)));
    Watch waiting = watch;
    if (asked - waiting.afterNanos >= 0) {
      waiting.seen.complete(System.nanoTime());
    }
    return true;
  }

  /** The jobs that were acknowledged so far. */
  Set<UUID> acknowledged() {
    return Set.copyOf(acknowledged);
  }

  /** When the first of what is asked from now on is acknowledged. */
  Future<Long> nextAcknowledgement() {
    Watch next = new Watch(System.nanoTime(), new CompletableFuture<>());
    watch = next;
    return next.seen;
  }

  /** Waits for so many more. */
  void awaitMore(int number) throws Exception {
    int enough = acknowledged.size() + number;
    Await.until("jobs are acknowledged", () -> acknowledged.size() >= enough);
  }

  /** Ends when everything that was asked for is acknowledged. */
  void finish() throws Exception {
    over.countDown();
    Await.until(
        "all that was asked for is acknowledged",
        () -> threads.stream().noneMatch(Thread::isAlive));
  }

  @Override
  public void close() {
    over.countDown();
  }
}
