package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.LimiterState;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.limit.WarmUpLimiter;
import dev.ebb.db.Await;
import dev.ebb.db.Bench;
import dev.ebb.db.Grants;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A queue with a limit, a full backlog, and worker processes that call a merchant: what arrives
 * there, beside what the curve says.
 */
final class Ramp implements AutoCloseable {
  static final RateLimit LIMIT = RateLimit.of(200, Duration.ofSeconds(10), 3);

  /** The permits of a burst window, and the one that is due at once. */
  static final double BURST = Grants.burst(LIMIT);

  private static final String CLAIMS =
      """
      select coalesce(sum(s.calls), 0)::bigint
      from pg_stat_statements s
      join pg_database d on d.oid = s.dbid
      where d.datname = current_database() and s.query like '%max(t.leases_from)%'
        and s.query not like '%pg_stat_statements%'
      """;

  final WorkerBench bench = new WorkerBench();
  final Merchant merchant = new Merchant(0, Duration.ofMillis(5));
  final Cluster cluster;
  final Grants grants;
  private final Queues queues = new Queues(bench.database);

  Ramp(Cluster.Guards guards) throws Exception {
    this(guards, 6_000);
  }

  /** With so many jobs, in thousands. */
  private Ramp(Cluster.Guards guards, int jobs) throws Exception {
    cluster = new Cluster(bench.config, merchant.url(), Soak.LEASE, guards);
    grants = Grants.noted(bench.config, NewJob.DEFAULT_QUEUE, LIMIT);
    put(true);
    for (int i = 0; i < jobs / 1_000; i++) {
      bench.jobs.submit(Collections.nCopies(1_000, NewJob.of(WorkerBench.KIND, "{}")));
    }
  }

  /** Without jobs. */
  static Ramp empty() throws Exception {
    return new Ramp(Cluster.Guards.ALL, 0);
  }

  private void put(boolean paused) throws SQLException {
    queues.put(NewJob.DEFAULT_QUEUE, new QueueSettings(paused, null, LIMIT, null), true, Bench.ACT);
  }

  /** Starts so many processes and returns once each of them runs. */
  private List<Cluster.Member> start(int nodes) throws Exception {
    List<Cluster.Member> members = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      members.add(cluster.start());
    }
    awaitRunning(members);
    return members;
  }

  /** Starts so many processes that do not work yet: to start one takes seconds of the ramp. */
  List<Cluster.Member> prepare(int nodes) throws Exception {
    List<Cluster.Member> members = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      Cluster.Member member = cluster.prepare();
      Await.until(member.name() + " is prepared", member::isPrepared);
      members.add(member);
    }
    return members;
  }

  private static void awaitRunning(List<Cluster.Member> members) throws Exception {
    for (Cluster.Member member : members) {
      Await.until(member.name() + " runs", () -> Files.exists(member.refusals()));
    }
  }

  /**
   * Starts so many processes, and has each call the merchant: a first call takes longer than its
   * place on the curve.
   */
  List<Cluster.Member> startWarm(int nodes) throws Exception {
    List<Cluster.Member> members = start(nodes);
    practise(nodes);
    return members;
  }

  /** Starts a process for each clock, and has each call the merchant. */
  List<Cluster.Member> startWarm(String... clocks) throws Exception {
    List<Cluster.Member> members = new ArrayList<>();
    for (String clock : clocks) {
      members.add(cluster.startWithClock(clock));
    }
    awaitRunning(members);
    practise(clocks.length);
    return members;
  }

  private void practise(int nodes) throws Exception {
    Await.until(
        "each node has called",
        Duration.ofMinutes(2),
        () -> {
          bench.jobs.submit(
              Collections.nCopies(
                  20, NewJob.builder(WorkerBench.KIND, "{}").queue("practice").build()));
          return bench.count("(select distinct node from ebb.history) as heard") >= nodes;
        });
    Await.until("practice is over", () -> bench.count("ebb.job where queue = 'practice'") == 0);
    merchant.forget();
  }

  void open() throws SQLException {
    put(false);
  }

  /** Seconds from the first call to each. */
  List<Double> arrivals() {
    List<Long> nanos = merchant.times();
    return nanos.stream().map(at -> (at - nanos.getFirst()) / 1e9).toList();
  }

  void awaitSeconds(double seconds) throws Exception {
    Await.until(
        seconds + " s of calls",
        Duration.ofMinutes(2),
        () -> {
          List<Double> arrivals = arrivals();
          return !arrivals.isEmpty() && arrivals.getLast() >= seconds;
        });
  }

  /** How many permits full demand gets within so many seconds from cold. */
  static double dueFromCold(double seconds) {
    return new WarmUpLimiter(LIMIT)
        .permitsFromCold(Duration.ofNanos((long) (Math.max(0, seconds) * 1e9)));
  }

  /** How many permits full demand gets within so many seconds if it starts that cold. */
  static double due(double coldness, double seconds) {
    WarmUpLimiter limiter = new WarmUpLimiter(LIMIT);
    Instant start = Instant.EPOCH;
    LimiterState state = new LimiterState(Math.min(1, coldness), start, null);
    int permits = 0;
    for (long millis = 0; millis < seconds * 1_000; millis += 10) {
      WarmUpLimiter.Grant grant = limiter.take(state, start.plusMillis(millis), 1_000);
      state = grant.state();
      permits += grant.permits();
    }
    return permits;
  }

  static long callsWithin(List<Double> arrivals, double from, double to) {
    return arrivals.stream().filter(at -> at >= from && at < to).count();
  }

  /** Never more than the curve by 2 % and a burst. */
  static void assertNotAbove(List<Double> arrivals) {
    for (int i = 0; i < arrivals.size(); i++) {
      double due = dueFromCold(arrivals.get(i));
      assertThat(i + 1.0).as("calls at %.3f s", arrivals.get(i)).isLessThan(1.02 * due + BURST);
    }
  }

  /** How many claims there were, those that came to nothing among them. */
  long claims() throws SQLException {
    bench.execute("create extension if not exists pg_stat_statements");
    try (Connection connection = TestPostgres.connect(bench.config);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(CLAIMS)) {
      row.next();
      return row.getLong(1);
    }
  }

  /**
   * What was claimed since that state was left is never more than the curve from there on by 2 %
   * and a burst, nor less by 2 % and the bursts that processes lose while they begin.
   *
   * @return how cold it was when claims began again
   */
  static double assertGrantedFrom(LimiterState left, List<Grants.Granted> granted, double lost) {
    Instant again = granted.getFirst().at();
    double idle = seconds(left.nextFreeAt(), again);
    assertThat(idle).as("longer, it could as well begin anew").isLessThan(3);
    double coldness = left.coldness() + idle / LIMIT.warmUp().toSeconds();
    double sum = 0;
    for (Grants.Granted grant : granted) {
      double at = seconds(again, grant.at());
      double due = due(coldness, at);
      assertThat(sum).as("before %.3f s", at).isGreaterThan(0.98 * due - lost);
      sum += grant.permits();
      assertThat(sum).as("until %.3f s", at).isLessThan(1.02 * due + BURST);
    }
    return coldness;
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toNanos() / 1e9;
  }

  /** Never less than the curve by 2 %, a burst, and what two stalls too short to count lose. */
  static void assertNotBelow(List<Double> arrivals) {
    for (int i = 1; i < arrivals.size(); i++) {
      double due = dueFromCold(arrivals.get(i));
      assertThat((double) i)
          .as("calls at %.3f s", arrivals.get(i))
          .isGreaterThan(0.98 * due - 3 * BURST);
    }
  }

  /** The largest number of calls within a second beyond what the curve has in that second. */
  static double worstWindow(List<Double> arrivals) {
    double worst = 0;
    int from = 0;
    for (int to = 0; to < arrivals.size(); to++) {
      double end = arrivals.get(to);
      while (arrivals.get(from) <= end - 1) {
        from++;
      }
      worst = Math.max(worst, to - from + 1 - (dueFromCold(end) - dueFromCold(end - 1)));
    }
    return worst;
  }

  @Override
  public void close() {
    cluster.close();
    merchant.close();
    bench.close();
  }
}
