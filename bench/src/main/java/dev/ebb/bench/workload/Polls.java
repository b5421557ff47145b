package dev.ebb.bench.workload;

import dev.ebb.bench.child.Request;
import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.report.Figure;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Workers that poll an API over HTTP: what a poll costs that gets nothing, and how soon one does.
 */
record Polls() implements OfEbb {
  private static final int WAITING = 1_000;
  private static final int WORKERS = 100;
  private static final int PER_SECOND = 100;
  private static final int SECONDS = 15;
  private static final int WARM_UP_SECONDS = 5;
  private static final String SUBMIT =
      """
      select count(*) from ebb.submit('bench', ?, queue => 'polled')
      """;
  private static final Duration SETTLE = Duration.ofSeconds(40);
  private static final Duration STAY = Duration.ofSeconds(20);
  private static final Pattern LEASE =
      Pattern.compile("\"lease\":\"(\\d+)\".*\"id\":\"([0-9a-f-]+)\".*\"payload\":(\\d+)");

  @Override
  public String id() {
    return "polls";
  }

  @Override
  public String sentence() {
    return "1,000 workers wait at one API for jobs of a queue that has none, each for 5 s again and"
        + " again: the cost of such a poll, and the sessions at the database meanwhile. Then 100"
        + " workers wait, and jobs are submitted by SQL at 100/s: from the return of a submit's"
        + " commit until a worker has the job; it settles the job before it polls again.";
  }

  @Override
  public Map<Figure, Double> run(Round round) throws Exception {
    round.prepare(1, 1, 0);
    round.rest();
    Meter meter = new Meter(round);
    round.open();
    int port = (int) round.first().ask(new Request.Serve(true)).value();
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    waiting(round, meter, port, figures);
    figures.putAll(Figures.percentiles(micros(round, port)));
    round.leave();
    return figures;
  }

  private static void waiting(Round round, Meter meter, int port, Map<Figure, Double> figures)
      throws Exception {
    try (Workers workers = new Workers(port, round.scaled(WAITING))) {
      Meter.pause(SETTLE);
      meter.begin();
      int before = workers.polls();
      Meter.pause(STAY);
      meter.end();
      int polls = workers.polls() - before;
      figures.put(Figure.POLLS, (double) polls);
      figures.put(Figure.POLL_CPU, (meter.postgresMicros() + meter.nodeMicros()) / polls);
      figures.put(Figure.POLL_CPU_POSTGRES, meter.postgresMicros() / polls);
      figures.put(Figure.POLL_CPU_NODE, meter.nodeMicros() / polls);
      figures.put(Figure.SESSIONS, (double) sessions(round));
    }
  }

  private static long sessions(Round round) throws SQLException {
    return Sql.number(
        round.admin(),
        """
        select count(*) from pg_stat_activity
        where datname = ? and backend_type = 'client backend'
        """,
        round.database());
  }

  /** From the commit of each job until a worker has it, once the server is warm. */
  private static List<Integer> micros(Round round, int port) throws Exception {
    int warm = WARM_UP_SECONDS * PER_SECOND;
    long[] committed = new long[warm + round.scaled(SECONDS * PER_SECOND)];
    try (Workers workers = new Workers(port, WORKERS);
        Connection connection = round.connect()) {
      long start = System.nanoTime() + Duration.ofSeconds(2).toNanos();
      for (int i = 0; i < committed.length; i++) {
        LockSupport.parkNanos(start + i * 1_000_000_000L / PER_SECOND - System.nanoTime());
        var _ = Sql.number(connection, SUBMIT, Integer.toString(i));
        committed[i] = System.nanoTime();
      }
      return workers.await(committed).subList(warm, committed.length);
    }
  }

  /** Threads that poll, each on a connection of its own, and settle what they get. */
  private static final class Workers implements AutoCloseable {
    private record Arrival(int number, long nanos) {
      /** A worker may have the job before the submit's answer is read. */
      int micros(long since) {
        return Math.toIntExact(Math.max(0, nanos - since) / 1_000);
      }
    }

    private final int port;
    private final List<Thread> threads = new ArrayList<>();
    private final List<Arrival> arrivals = Collections.synchronizedList(new ArrayList<>());
    private final int[] polls;
    private volatile boolean over;
    private volatile @Nullable Exception failure;

    Workers(int port, int number) {
      this.port = port;
      this.polls = new int[number];
      for (int i = 0; i < number; i++) {
        int worker = i;
        threads.add(Thread.startVirtualThread(() -> work(worker)));
      }
    }

    private void work(int worker) {
      try (RestClient client = new RestClient(port, null)) {
        while (!over) {
          poll(client, "worker-" + worker);
          polls[worker]++;
        }
      } catch (IOException e) {
        failure = e;
      }
    }

    private void poll(RestClient client, String worker) throws IOException {
      String answer =
          client.poll(
              """
              {"worker":"%s","queues":["polled"],"kinds":["bench"],"max":1,"wait":"PT5S"}\
              """
                  .formatted(worker));
      Matcher lease = LEASE.matcher(answer);
      if (lease.find()) {
        arrivals.add(new Arrival(Integer.parseInt(lease.group(3)), System.nanoTime()));
        client.settle(
            """
            {"worker":"%s","results":[{"lease":"%s","id":"%s","outcome":"completed"}]}\
            """
                .formatted(worker, lease.group(1), lease.group(2)));
      }
    }

    int polls() throws Exception {
      requireNoFailure();
      return IntStream.of(polls).sum();
    }

    private void requireNoFailure() throws Exception {
      if (failure != null) {
        throw failure;
      }
    }

    /** How long each job took, in their order, once all have come. */
    List<Integer> await(long[] committed) throws Exception {
      long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
      while (arrivals.size() < committed.length) {
        requireNoFailure();
        if (System.nanoTime() - deadline > 0) {
          throw new CheckFailed(arrivals.size() + " of " + committed.length + " jobs came");
        }
        LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
      }
      return List.copyOf(arrivals).stream()
          .sorted(Comparator.comparingInt(Arrival::number))
          .map(arrival -> arrival.micros(committed[arrival.number]))
          .toList();
    }

    @Override
    public void close() throws InterruptedException {
      over = true;
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }
}
