package dev.ebb.db.errors;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.Bench;
import dev.ebb.db.JobChanges;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.action.ActionResult;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Dead letters of one person, of which one is erased while another session groups one. */
final class ErasureRace {
  private static final String NAME = "ada.example";

  private final Bench bench;

  ErasureRace(Bench bench) {
    this.bench = bench;
  }

  /** Prints the answers of the two races. */
  public static void main(String[] args) throws Exception {
    try (Bench bench = new Bench(DatabaseConfig.of(args[0], "postgres", "postgres"))) {
      ErasureRace race = new ErasureRace(bench);
      long named = race.namedAfterWhatIsErased();
      bench.execute("delete from ebb.dead_letter; delete from ebb.error_group");
      System.out.println(named + " " + race.inNoGroupThatIsThere());
    }
  }

  private UUID dead() throws SQLException {
    UUID id = bench.submit(NewJob.of("echo", "{\"url\":\"http://" + NAME + "\"}"));
    bench.execute("update ebb.job set destination = '" + NAME + "'");
    if (!bench.deadLetter(bench.claimOne())) {
      throw new IllegalStateException("not settled");
    }
    return id;
  }

  private ActionResult erase(UUID id) throws SQLException {
    return new JobChanges(bench.database).erase(id, Bench.ACT);
  }

  /**
   * Erases a dead letter when its name was read and its group is not made yet, and answers how many
   * groups have the name.
   */
  long namedAfterWhatIsErased() throws Exception {
    UUID id = dead();
    try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor();
        Connection stopping = TestPostgres.connect(bench.config)) {
      stopping.setAutoCommit(false);
      // It stops who writes groups, and nobody who reads them.
      stopping.createStatement().execute("lock table ebb.error_group in exclusive mode");
      Future<Boolean> grouping = others.submit(() -> new ErrorGroups(bench.database).groupNew());
      bench.awaitEndOrLocks(grouping, 1);
      Future<ActionResult> erasure = others.submit(() -> erase(id));
      bench.awaitEndOrLocks(erasure, 2);
      stopping.rollback();
      grouping.get();
      erasure.get();
    }
    return bench.count("ebb.error_group where subject = '" + NAME + "'");
  }

  /**
   * Erases the only dead letter of a group while another one that was put there is not committed,
   * and answers how many are in a group that is gone.
   */
  long inNoGroupThatIsThere() throws Exception {
    UUID id = dead();
    new ErrorGroups(bench.database).groupNew();
    dead();
    try (ExecutorService other = Executors.newVirtualThreadPerTaskExecutor();
        Connection grouping = TestPostgres.connect(bench.config)) {
      grouping.setAutoCommit(false);
      new Grouping(grouping, GroupBounds.DEFAULT).next(true);
      Future<ActionResult> erasure = other.submit(() -> erase(id));
      bench.awaitEndOrLocks(erasure, 1);
      grouping.commit();
      erasure.get();
    }
    return bench.count(
        """
        ebb.dead_letter d
        where d.error_group is not null
          and not exists (select from ebb.error_group g where g.id = d.error_group)
        """);
  }
}
