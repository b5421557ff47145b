package dev.ebb.bench.contender;

import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.machine.Target;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The yardstick: bare JDBC with the leanest classic SQL that is as durable as Ebb. A claim is one
 * UPDATE, the end of a batch is one DELETE or UPDATE by array; there is no history and no rescue.
 *
 * <p>Every statement is prepared once per connection and commits by itself; arrays go in binary.
 * The work runs on the thread that claimed it, which is the cheapest way to run what does not wait.
 */
final class FloorContender implements Contender, DirectClaims {
  private static final int BULK = 1_000;
  private static final int BATCH = 500;
  private static final int SUBMITTERS = 8;
  private static final int THREADS = 2;

  /** How long a worker that found nothing waits; nothing wakes it. */
  private static final Duration POLL = Duration.ofMillis(5);

  private final Target target;
  private final List<Thread> threads = new ArrayList<>();
  private final BlockingQueue<FloorClient> submitters = new ArrayBlockingQueue<>(SUBMITTERS);
  private int queues = 1;
  private volatile boolean running;
  private @Nullable FloorClient direct;
  private FloorClient.Batch claimed = FloorClient.Batch.NONE;

  FloorContender(Target target) {
    this.target = target;
  }

  @Override
  public boolean spreadOver(int queues) {
    this.queues = queues;
    return true;
  }

  private static String queue(int index) {
    return "queue-" + index;
  }

  private static final String TABLE =
      """
      create table job (
        id       bigint generated always as identity primary key,
        run_at   timestamptz not null,
        attempt  integer not null default 0,
        priority smallint not null default 5,
        state    smallint not null default 0,
        queue    text not null,
        payload  text not null)
      """;

  private static final String CLAIM_INDEX =
      """
      create index job_claim on job (queue, priority, run_at, id) where state = 0
      """;

  @Override
  public void install() throws SQLException {
    try (Connection connection = Sql.connect(target)) {
      Sql.execute(connection, TABLE);
      Sql.execute(connection, CLAIM_INDEX);
    }
  }

  @Override
  public void open() throws SQLException {
    for (int i = 0; i < SUBMITTERS; i++) {
      submitters.add(new FloorClient(target));
    }
    direct = new FloorClient(target);
  }

  private FloorClient direct() {
    if (direct == null) {
      throw new IllegalStateException("not open");
    }
    return direct;
  }

  @Override
  public void fill(int from, int to, Duration dueIn) throws SQLException {
    for (int start = from; start < to; start += BULK) {
      int end = Math.min(to, start + BULK);
      direct().insert(queue(start / BULK % queues), start, end, dueIn);
    }
  }

  @Override
  public void submit(int number) throws SQLException, InterruptedException {
    FloorClient client = submitters.take();
    try {
      client.insert(queue(number % queues), number);
    } finally {
      submitters.add(client);
    }
  }

  @Override
  public String settings() {
    return "%s threads with two connections each, batches of %s, every statement prepared"
        .formatted(THREADS, BATCH);
  }

  /** Of 2, 4 and 8 threads, each with a connection, two drain best on two cores. */
  @Override
  public int bestConcurrency() {
    return THREADS;
  }

  @Override
  public void start(Work work, int concurrency) throws SQLException {
    running = true;
    for (int i = 0; i < concurrency; i++) {
      FloorClient client = new FloorClient(target);
      int first = i;
      threads.add(Thread.ofPlatform().name("floor-" + i).start(() -> serve(client, first, work)));
    }
  }

  /** Serves the queues in turn, from one of its own on. */
  private void serve(FloorClient client, int first, Work work) {
    try (client) {
      int idle = 0;
      for (int turn = first; running; turn++) {
        FloorClient.Batch batch = client.claim(queue(turn % queues), BATCH);
        idle = batch.size() == 0 ? idle + 1 : 0;
        if (idle >= queues) {
          Thread.sleep(POLL);
        } else if (batch.size() > 0) {
          turn--;
          run(client, batch, work);
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void run(FloorClient client, FloorClient.Batch batch, Work work)
      throws SQLException {
    long[] done = new long[batch.size()];
    long[] failed = new long[batch.size()];
    int doneCount = 0;
    int failedCount = 0;
    for (int i = 0; i < batch.size(); i++) {
      try {
        work.run(Payload.number(batch.payloads()[i]));
        done[doneCount++] = batch.ids()[i];
      } catch (Exception e) {
        failed[failedCount++] = batch.ids()[i];
      }
    }
    client.complete(done, doneCount);
    client.retry(failed, failedCount);
  }

  @Override
  public void stop() throws InterruptedException {
    running = false;
    for (Thread thread : threads) {
      thread.join();
    }
    threads.clear();
  }

  @Override
  public int claim(int queue, int most) throws SQLException {
    claimed = direct().claim(queue(queue), most);
    return claimed.size();
  }

  @Override
  public void settle() throws SQLException {
    direct().complete(claimed.ids(), claimed.size());
  }

  private static final String UNFINISHED =
      """
      select count(*) from job
      """;

  @Override
  public long unfinished(Connection connection) throws SQLException {
    return Sql.number(connection, UNFINISHED);
  }

  @Override
  public void close() throws SQLException, InterruptedException {
    stop();
    for (FloorClient client : submitters) {
      client.close();
    }
    submitters.clear();
    if (direct != null) {
      direct.close();
    }
  }
}
