package dev.ebb.bench.contender;

import dev.ebb.bench.machine.Target;
import dev.ebb.core.access.Act;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.ResponseRules;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.core.signing.SigningScheme;
import dev.ebb.db.JobQueue;
import dev.ebb.db.connection.Database;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.notify.Notifier;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.submit.Submitter;
import dev.ebb.worker.Worker;
import dev.ebb.worker.WorkerConfig;
import dev.ebb.worker.http.HttpHandler;
import dev.ebb.worker.http.HttpHandlerConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Destinations of Ebb's, each with a host of its own in loopback's network and a key that signs,
 * and jobs that go to them by turns.
 */
public final class Destinations implements AutoCloseable {
  private static final String KIND = "http";
  private static final int BULK = 1_000;

  /** How many hosts share the third byte of their address. */
  private static final int PER_NETWORK = 250;

  private static final byte[] SECRET =
      "a secret of thirty-two bytes, so".getBytes(StandardCharsets.US_ASCII);

  private static final SecretBox BOX =
      SecretBox.parse("MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=");

  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  private final int count;
  private final Database database;
  private final Notifier notifier;
  private final Submitter submitter;

  /** So many of them in the database. */
  public Destinations(Target target, int count) {
    this.count = count;
    this.database = Database.open(EbbContender.config(target));
    this.notifier = new Notifier(database, new FailureLog(new SimpleMeterRegistry()));
    this.submitter = new Submitter(database, notifier);
  }

  private static String name(int index) {
    return "merchant-" + index;
  }

  /** Creates them: all are served at the same port. */
  public void create(int port) throws SQLException {
    Queues queues = new Queues(database);
    Act act = Act.onMachine("bench");
    for (int i = 0; i < count; i++) {
      String host = "127.1.%s.%s".formatted(i / PER_NETWORK, 1 + i % PER_NETWORK);
      Destination address =
          new Destination(
              URI.create("http://" + host + ":" + port + "/"),
              null,
              Map.of(),
              ResponseRules.DEFAULT,
              null,
              Map.of());
      SigningKey key = key(name(i));
      var _ =
          queues.putDestination(name(i), QueueSettings.of(false, null).to(address), act, _ -> {});
      var _ = queues.changeKeys(name(i), _ -> List.of(key), act);
    }
  }

  /** They have the same secret, and each its own seal. */
  private static SigningKey key(String destination) {
    String id = "key_bench";
    byte[] nonce = new byte[SecretBox.NONCE_BYTES];
    String sealed = BOX.seal(SECRET, nonce, SigningKey.context(destination, id));
    return new SigningKey(id, SigningScheme.V1, sealed, null, Instant.EPOCH, null);
  }

  private NewJob job(int number) {
    return NewJob.builder(KIND, "{\"body\":" + Payload.of(number) + "}")
        .queue(name(number % count))
        .build();
  }

  /** Stores jobs in bulk. */
  public void fill(int from, int to) throws SQLException {
    JobQueue jobs = new JobQueue(database);
    for (int start = from; start < to; start += BULK) {
      int end = Math.min(to, start + BULK);
      jobs.submit(IntStream.range(start, end).mapToObj(this::job).toList());
    }
  }

  /** Stores one, as the API does, and returns when it is committed. */
  public void submit(int number) throws SQLException {
    submitter.submit(job(number));
  }

  /** Starts a node that delivers so many at a time; answers what stops it. */
  static Runnable deliver(Database database, int concurrency) {
    HttpHandler handler =
        new HttpHandler(
            HttpHandlerConfig.defaults()
                .withAllow("127.0.0.0/8")
                .withTimeout(TIMEOUT)
                .withLongestTimeout(TIMEOUT)
                .withConcurrency(concurrency),
            BOX);
    Worker worker =
        Worker.start(
            database,
            WorkerConfig.defaults().withConcurrency(concurrency),
            Map.of(KIND, handler),
            new SimpleMeterRegistry());
    return () -> {
      worker.close();
      handler.close();
    };
  }

  @Override
  public void close() {
    submitter.close();
    notifier.close();
    database.close();
  }
}
