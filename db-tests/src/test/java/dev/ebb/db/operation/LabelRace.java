package dev.ebb.db.operation;

import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.settings.ClusterSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A choice of the label of subjects beside the start of an operation that looks for one, each at
 * the instant at which it cannot be seen by the other.
 */
final class LabelRace {
  /** Holds up changes of the settings that have begun: what they look at was read before. */
  private static final String HOLD_UP =
      """
      create function ebb.hold_up() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(7);
        return new;
      end $$;
      create trigger hold_up before update on ebb.settings
      for each row execute function ebb.hold_up()
      """;

  private static final Matched ONE = new Matched(1, true);

  private final Bench bench;

  LabelRace(Bench bench) {
    this.bench = bench;
  }

  /** Prints the answers of the two races. */
  public static void main(String[] args) throws Exception {
    try (Bench bench = new Bench(DatabaseConfig.of(args[0], "postgres", "postgres"))) {
      LabelRace race = new LabelRace(bench);
      boolean isChoiceRefused = race.chooseBesideAStart().isPresent();
      bench.execute("delete from ebb.operation");
      System.out.println(isChoiceRefused + " " + race.doesAStartWaitForAChoice());
    }
  }

  private Optional<UUID> choose(String label) throws SQLException {
    return new ClusterSettings(bench.database).choose(label, Bench.ACT);
  }

  private static OperationView start(Connection connection) throws SQLException {
    return OperationStart.start(
        connection,
        OperationBench.plan(OperationBench.REDRIVE, "subject:acme"),
        ONE,
        OperationBench.ADA);
  }

  /** Chooses a label before a start commits, and answers the operation that forbids it. */
  Optional<UUID> chooseBesideAStart() throws Exception {
    try (ExecutorService other = Executors.newVirtualThreadPerTaskExecutor();
        Connection connection = TestPostgres.connect(bench.config)) {
      connection.setAutoCommit(false);
      start(connection);
      Future<Optional<UUID>> choice = other.submit(() -> choose("merchant"));
      bench.awaitEndOrLocks(choice, 1);
      connection.commit();
      return choice.get();
    }
  }

  /** Starts an operation before a choice commits that has seen none. */
  boolean doesAStartWaitForAChoice() throws Exception {
    bench.execute(HOLD_UP);
    try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor();
        Connection stopping = TestPostgres.connect(bench.config)) {
      stopping.setAutoCommit(false);
      stopping.createStatement().execute("select pg_advisory_xact_lock(7)");
      Future<Optional<UUID>> choice = others.submit(() -> choose("shop"));
      bench.awaitEndOrLocks(choice, 1);
      Future<OperationView> start =
          others.submit(() -> bench.database.inTransaction(LabelRace::start));
      bench.awaitEndOrLocks(start, 2);
      boolean waits = !start.isDone();
      stopping.rollback();
      if (choice.get().isPresent()) {
        throw new IllegalStateException("it has seen an operation");
      }
      start.get();
      return waits;
    }
  }
}
