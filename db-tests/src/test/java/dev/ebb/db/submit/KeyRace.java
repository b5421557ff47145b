package dev.ebb.db.submit;

import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.Bench;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Two submitters, each with a pool of its own as in a process of its own, that submit with one key
 * while no insert of a job ends.
 */
final class KeyRace {
  /** Holds up inserts of jobs that have begun: what they look up was read before. */
  private static final String HOLD_UP =
      """
      create function ebb.hold_up() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(7);
        return new;
      end $$;
      create trigger hold_up before insert on ebb.job
      for each row execute function ebb.hold_up()
      """;

  private static final String WAITING =
      """
      pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'
      """;

  private KeyRace() {}

  /** Prints how many jobs were stored. */
  public static void main(String[] args) throws Exception {
    System.out.println(run(DatabaseConfig.of(args[0], "postgres", "postgres")));
  }

  /** Answers how many jobs were stored. */
  static long run(DatabaseConfig config) throws Exception {
    try (Bench bench = new Bench(config);
        Bench other = new Bench(config);
        Connection stopping = TestPostgres.connect(config)) {
      bench.execute(HOLD_UP);
      stopping.setAutoCommit(false);
      stopping.createStatement().execute("select pg_advisory_xact_lock(7)");
      List<Thread> threads = new ArrayList<>();
      ConcurrentLinkedQueue<SubmitAnswer> answers = new ConcurrentLinkedQueue<>();
      for (Database database : List.of(bench.database, other.database)) {
        threads.add(Thread.ofPlatform().start(() -> answers.add(submit(database))));
      }
      long deadline = System.nanoTime() + Bench.LEASE.toNanos();
      while (bench.count(WAITING) + answers.size() < 2 && System.nanoTime() < deadline) {
        Thread.onSpinWait();
      }
      stopping.rollback();
      for (Thread thread : threads) {
        thread.join();
      }
      return bench.count("ebb.job");
    }
  }

  private static SubmitAnswer submit(Database database) {
    IdempotencyKey key = IdempotencyKey.of("a", "POST /v1/jobs", "k", "{}");
    Submission submission = new Submission(List.of(NewJob.of("echo", "{}")), Set.of(), key);
    try (Submitter submitter = new Submitter(database, null)) {
      return submitter.submit(submission);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
