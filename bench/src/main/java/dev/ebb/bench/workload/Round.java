package dev.ebb.bench.workload;

import dev.ebb.bench.child.Node;
import dev.ebb.bench.child.Request;
import dev.ebb.bench.contender.Contender;
import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.machine.Server;
import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.machine.Target;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * One measurement under way: a fresh database, the nodes on it, and what is done with them.
 *
 * <p>The order is prepare, fill, rest, meter, open, begin, start, await, end, leave, figures: the
 * sessions that filled are gone before anything is counted, because a session tells what it wrote
 * when it ends.
 */
public final class Round implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);
  private static final Duration LOOK_CLOSELY = Duration.ofMillis(2);

  private final Server server;
  private final Entrant entrant;
  private final List<Node> nodes;
  private final double scale;
  private final String database;
  private final Connection admin;
  private final Contender reader;
  private int queues = 1;
  private int numbers;
  private int failures;
  private long fillWal;

  /** Creates the database and ends what earlier measurements left to be written. */
  public Round(Server server, Entrant entrant, List<Node> nodes, double scale) throws SQLException {
    this(server, entrant, nodes, scale, "bench_" + entrant.id().replace('-', '_'));
  }

  private Round(Server server, Entrant entrant, List<Node> nodes, double scale, String database)
      throws SQLException {
    this.server = server;
    this.entrant = entrant;
    this.nodes = List.copyOf(nodes);
    this.scale = scale;
    this.database = database;
    this.reader = entrant.contender(server.target(database));
    this.admin = Sql.connect(server.admin("postgres"));
    Sql.execute(admin, "drop database if exists " + database + " with (force)");
    Sql.execute(admin, "create database " + database + " owner " + Server.ROLE);
    Sql.execute(admin, "checkpoint");
    Sql.execute(admin, "select pg_stat_statements_reset()");
  }

  /** The same nodes on a second database; one of the two is open at a time. */
  Round beside() throws SQLException {
    return new Round(server, entrant, nodes, scale, database + "_beside");
  }

  Entrant entrant() {
    return entrant;
  }

  Entrant.Sizes sizes() {
    return entrant.sizes();
  }

  /** A workload's size in this round; whole hundreds where there are many. */
  public int scaled(int size) {
    int scaled = (int) Math.max(1, size * scale);
    return scaled > 1_000 ? scaled / 100 * 100 : scaled;
  }

  Server server() {
    return server;
  }

  String database() {
    return database;
  }

  /** The database as the systems see it. */
  Target target() {
    return server.target(database);
  }

  Connection admin() {
    return admin;
  }

  /** A connection of the harness to the database. */
  public Connection connect() throws SQLException {
    return Sql.connect(server.admin(database));
  }

  /** Has the database do something that no system does. */
  void execute(String sql) throws SQLException {
    try (Connection eyes = connect()) {
      Sql.execute(eyes, sql);
    }
  }

  /** How many blocks the statements in the database have read so far, from memory or not. */
  long blocks() throws SQLException {
    return Sql.number(
        admin,
        """
        select sum(s.shared_blks_hit + s.shared_blks_read)
        from pg_stat_statements s
        join pg_database d on d.oid = s.dbid
        where d.datname = ?
        """,
        database);
  }

  List<Node> nodes() {
    return nodes;
  }

  Node first() {
    return nodes.getFirst();
  }

  /** Opens the first node on tables that it creates. */
  public void prepare(int numbers, int queues, int failures) throws IOException {
    this.numbers = numbers;
    this.queues = queues;
    this.failures = failures;
    var _ = first().ask(request(true));
  }

  private Request.Open request(boolean install) {
    return new Request.Open(target(), install, queues, numbers, failures);
  }

  /** Stores jobs in bulk, outside the measured part. */
  void fill(int from, int to, Duration dueIn) throws IOException, SQLException {
    long before = Sql.wal(admin);
    var _ = first().ask(new Request.Fill(from, to, dueIn.toSeconds()));
    fillWal += Sql.wal(admin) - before;
  }

  long fillWal() {
    return fillWal;
  }

  /** Ends every session, so that their counts arrive, and has autovacuum's work done. */
  void rest() throws IOException, SQLException {
    leave();
    vacuum();
    awaitNoSessions();
  }

  /** Does autovacuum's work. */
  void vacuum() throws SQLException {
    execute("vacuum (analyze)");
  }

  /** Opens every node on the tables that are there. */
  void open() throws IOException {
    for (Node node : nodes) {
      var _ = node.ask(request(false));
    }
  }

  void start() throws IOException {
    for (Node node : nodes) {
      var _ = node.ask(new Request.Start());
    }
  }

  /** Closes the nodes' contenders, and waits until their sessions are gone. */
  public void leave() throws IOException, SQLException {
    for (Node node : nodes) {
      var _ = node.ask(new Request.Stop());
    }
    for (Node node : nodes) {
      var _ = node.ask(new Request.Close());
    }
    awaitNoSessions();
  }

  private void awaitNoSessions() throws SQLException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (Sql.number(
            admin,
            """
            select count(*) from pg_stat_activity
            where datname = ? and backend_type in ('client backend', 'autovacuum worker')
            """,
            database)
        > 0) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("sessions stay in " + database);
      }
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  /**
   * Waits until this many jobs have succeeded and the system's tables hold none; answers how often
   * it looked.
   */
  int awaitEnded(int jobs) throws IOException, SQLException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    awaitSucceeded(jobs, LOOK_EVERY);
    return awaitNoneOpen(deadline);
  }

  /**
   * Waits until the system's tables hold no job that has not ended; answers how often it looked.
   */
  int awaitNoneOpen() throws IOException, SQLException {
    return awaitNoneOpen(System.nanoTime() + PATIENCE.toNanos());
  }

  private int awaitNoneOpen(long deadline) throws IOException, SQLException {
    int looks = 0;
    try (Connection eyes = connect()) {
      for (long open = reader.unfinished(eyes); open > 0; open = reader.unfinished(eyes)) {
        long now = open;
        CheckFailed.after(deadline, () -> now + " jobs are not ended in the system's own tables");
        LockSupport.parkNanos(LOOK_CLOSELY.toNanos());
        looks++;
      }
    }
    return looks + 1;
  }

  /** Waits until this many jobs have succeeded by the handlers' count. */
  void awaitSucceeded(int jobs, Duration lookEvery) throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (succeeded() < jobs) {
      CheckFailed.after(deadline, () -> succeeded() + " of " + jobs + " jobs succeeded");
      LockSupport.parkNanos(lookEvery.toNanos());
    }
  }

  private int succeeded() throws IOException {
    int sum = 0;
    for (Node node : nodes) {
      sum += (int) node.ask(new Request.Progress()).value();
    }
    return sum;
  }

  /** How often each number ran, in all nodes; to be asked before {@link #leave}. */
  List<Integer> runs() throws IOException {
    List<Integer> sums = new ArrayList<>(first().ask(new Request.Runs()).samples());
    for (Node node : nodes.subList(1, nodes.size())) {
      List<Integer> more = node.ask(new Request.Runs()).samples();
      for (int i = 0; i < more.size(); i++) {
        sums.set(i, sums.get(i) + more.get(i));
      }
    }
    return sums;
  }

  /** Leaves, and throws unless each of the first jobs ran exactly as often as it should. */
  void leaveAndCheck(int jobs) throws IOException, SQLException {
    List<Integer> runs = runs();
    leave();
    check(jobs, runs);
  }

  /**
   * Throws unless each of the first jobs ran exactly as often as it should, by the handlers' count
   * and by the system's own tables.
   */
  public void check(int jobs, List<Integer> runs) throws SQLException {
    checkRuns(jobs, runs);
    checkTables(jobs);
  }

  /**
   * Throws unless this many jobs ran exactly as often as they should, by the system's own tables.
   */
  void checkTables(int jobs) throws SQLException {
    try (Connection eyes = connect()) {
      reader.succeeded(eyes).ifPresent(found -> requireEqual("succeeded", jobs, found));
      reader
          .failedAttempts(eyes)
          .ifPresent(found -> requireEqual("failed attempts", (long) jobs * failures, found));
      reader
          .misrun(eyes, failures + 1)
          .ifPresent(found -> requireEqual("ran too often or too seldom", 0, found));
    }
  }

  /** Throws unless each of the first jobs ran as often as it should, by the handlers' count. */
  public void checkRuns(int jobs, List<Integer> runs) {
    int each = failures + 1;
    for (int number = 0; number < jobs; number++) {
      if (runs.get(number) != each) {
        throw new CheckFailed("job " + number + " ran " + runs.get(number) + " times, not " + each);
      }
    }
  }

  /** Throws unless the system's own tables hold exactly this many jobs. */
  public void checkStored(int jobs) throws SQLException {
    try (Connection eyes = connect()) {
      requireEqual("stored", jobs, reader.unfinished(eyes));
    }
  }

  private static void requireEqual(String what, long wanted, long found) {
    if (wanted != found) {
      throw new CheckFailed(
          "%s by the system's own tables: %s, not %s".formatted(what, found, wanted));
    }
  }

  /** Leaves no database behind. */
  @Override
  public void close() throws SQLException {
    try (admin) {
      for (Node node : nodes) {
        node.closeContender();
      }
      Sql.execute(admin, "drop database if exists " + database + " with (force)");
    }
  }
}
