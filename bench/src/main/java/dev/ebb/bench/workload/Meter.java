package dev.ebb.bench.workload;

import dev.ebb.bench.child.Node;
import dev.ebb.bench.machine.Cpu;
import dev.ebb.bench.machine.Server;
import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.report.Figure;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/** What a measured part cost, read from the server and the system's processes. */
final class Meter {
  private static final String STATEMENTS =
      """
      select coalesce(sum(s.calls), 0)::bigint
      from pg_stat_statements s
      join pg_database d on d.oid = s.dbid
      join pg_roles r on r.oid = s.userid
      where d.datname = ? and r.rolname = ?
      """;

  private static final String STATEMENTS_WAL =
      """
      select coalesce(sum(s.wal_bytes), 0)::bigint
      from pg_stat_statements s
      join pg_database d on d.oid = s.dbid
      join pg_roles r on r.oid = s.userid
      where d.datname = ? and r.rolname = ?
      """;

  private static final String TRANSACTIONS =
      """
      select xact_commit + xact_rollback from pg_stat_database where datname = ?
      """;

  // With the TOAST tables, and without the catalogs.
  private static final String DEAD =
      """
      select coalesce(sum(n_tup_upd + n_tup_del), 0)::bigint
      from pg_stat_all_tables where schemaname not in ('pg_catalog', 'information_schema')
      """;

  private final Round round;
  private final long deadBefore;
  private final long transactionsBefore;
  private Reading begin;
  private Reading end;
  private int harnessTransactions;

  private record Reading(
      long nanos,
      long wal,
      long statementsWal,
      long statements,
      long blocks,
      OptionalLong postgresMicros,
      long nodeMicros) {}

  /** Reads what arrives late; to be made while no session is left, after {@link Round#rest}. */
  Meter(Round round) throws SQLException {
    this.round = round;
    try (Connection eyes = round.connect()) {
      this.deadBefore = Sql.number(eyes, DEAD);
    }
    this.transactionsBefore = Sql.number(round.admin(), TRANSACTIONS, round.database());
    this.begin = read();
    this.end = begin;
  }

  private Reading read() throws SQLException {
    long nanos = System.nanoTime();
    OptionalLong process = round.server().process();
    return new Reading(
        nanos,
        Sql.wal(round.admin()),
        Sql.number(round.admin(), STATEMENTS_WAL, round.database(), Server.ROLE),
        Sql.number(round.admin(), STATEMENTS, round.database(), Server.ROLE),
        round.blocks(),
        process.isPresent() ? Cpu.microsOfTree(process.getAsLong()) : OptionalLong.empty(),
        round.nodes().stream().mapToLong(Node::cpuMicros).sum());
  }

  void begin() throws SQLException {
    Reading reading = read();
    begin =
        new Reading(
            System.nanoTime(),
            reading.wal,
            reading.statementsWal,
            reading.statements,
            reading.blocks,
            reading.postgresMicros,
            reading.nodeMicros);
  }

  void end() throws SQLException {
    end = read();
  }

  /** Ends the measured part once this many jobs have succeeded and are settled. */
  void endWhenEnded(int jobs) throws IOException, SQLException {
    harnessTransactions += round.awaitEnded(jobs);
    end();
  }

  /** Ends it once no job is left, whoever ran them. */
  void endWhenNoneIsOpen() throws IOException, SQLException {
    harnessTransactions += round.awaitNoneOpen();
    end();
  }

  double seconds() {
    return (end.nanos - begin.nanos) / 1e9;
  }

  double wal() {
    return end.wal - begin.wal;
  }

  /** Without what the server writes by itself. */
  double walOfStatements() {
    return end.statementsWal - begin.statementsWal;
  }

  /** Those that statements have read, from memory or not. */
  double blocks() {
    return end.blocks - begin.blocks;
  }

  double statements() {
    return end.statements - begin.statements;
  }

  /** To be asked after {@link Round#leave}. */
  double transactions() throws SQLException {
    return Sql.number(round.admin(), TRANSACTIONS, round.database())
        - transactionsBefore
        - harnessTransactions;
  }

  /** Microseconds; not a number if unknown. */
  double postgresMicros() {
    return end.postgresMicros.isPresent() && begin.postgresMicros.isPresent()
        ? end.postgresMicros.getAsLong() - begin.postgresMicros.getAsLong()
        : Double.NaN;
  }

  double nodeMicros() {
    return end.nodeMicros - begin.nodeMicros;
  }

  /** Everything per job; to be asked after {@link Round#leave}. */
  Map<Figure, Double> perJob(int jobs) throws SQLException {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    figures.put(Figure.JOBS, (double) jobs);
    figures.put(Figure.RATE, jobs / seconds());
    figures.put(Figure.SECONDS, seconds());
    figures.put(Figure.CPU, (postgresMicros() + nodeMicros()) / jobs);
    figures.put(Figure.CPU_POSTGRES, postgresMicros() / jobs);
    figures.put(Figure.CPU_NODE, nodeMicros() / jobs);
    figures.put(Figure.WAL, wal() / jobs);
    figures.put(Figure.STATEMENTS, statements() / jobs);
    figures.put(Figure.TRANSACTIONS, transactions() / jobs);
    try (Connection eyes = round.connect()) {
      figures.put(Figure.DEAD, (Sql.number(eyes, DEAD) - deadBefore) / (double) jobs);
    }
    figures.values().removeIf(value -> value.isNaN());
    return figures;
  }

  /** Lets what is measured go on for so long. */
  static void pause(Duration pause) {
    long end = System.nanoTime() + pause.toNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }
}
