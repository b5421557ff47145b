package dev.ebb.db.submit;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Threads that submit one job after another, and what each of them was told. */
final class Crowd {
  private static final String IS_THERE =
      """
      select exists (select from ebb.job where id = ?)
      """;

  private final DatabaseConfig config;
  private final Submit submit;
  private final List<Thread> threads = new ArrayList<>();
  final Map<NewJob, Submitted> answered = new ConcurrentHashMap<>();
  final Map<NewJob, Exception> failed = new ConcurrentHashMap<>();
  final Collection<UUID> missing = new ConcurrentLinkedQueue<>();

  Crowd(DatabaseConfig config, Submit submit) {
    this.config = config;
    this.submit = submit;
  }

  /** Stores a job. */
  interface Submit {
    public Submitted submit(NewJob job) throws Exception;
  }

  /** A virtual thread that submits the job. */
  public Thread submit(NewJob job) {
    Thread thread = Thread.ofVirtual().start(() -> submitOne(job));
    threads.add(thread);
    return thread;
  }

  private void submitOne(NewJob job) {
    try {
      answered.put(job, submit.submit(job));
    } catch (Exception e) {
      failed.put(job, e);
    }
  }

  /** A platform thread that looks for each job on a connection of its own once it is answered. */
  void submitAndLook(Collection<NewJob> jobs) {
    threads.add(
        Thread.ofPlatform()
            .start(() -> {
              try (Connection connection = TestPostgres.connect(config);
                  PreparedStatement statement = connection.prepareStatement(IS_THERE)) {
                for (NewJob job : jobs) {
                  submitOne(job);
                  look(statement, answer(job));
                }
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            }));
  }

  private void look(PreparedStatement statement, Submitted submitted) throws SQLException {
    statement.setObject(1, submitted.id());
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      if (!row.getBoolean(1)) {
        missing.add(submitted.id());
      }
    }
  }

  /** What the thread of this job was told. */
  Submitted answer(NewJob job) {
    return Objects.requireNonNull(answered.get(job), () -> "failed: " + failed.get(job));
  }

  /** Waits for all of them. */
  Crowd join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    return this;
  }
}
