package dev.ebb.demo;

import dev.ebb.db.JobQueue;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The demo's {@link Story} in the database of a test. */
public final class ToldStory {
  private ToldStory() {}

  /**
   * Submits its first seconds.
   *
   * @param merchants where the echo merchant listens
   * @param pace the time between the jobs of one second and those of the next
   */
  public static void tell(DatabaseConfig config, String merchants, int seconds, Duration pace) {
    Story story = new Story(merchants);
    try (Database database = Database.open(config)) {
      DemoQueues.create(database);
      DemoDestinations.create(database, merchants);
      DemoSchedules.create(database, merchants);
      JobQueue jobs = new JobQueue(database);
      long begun = System.nanoTime();
      for (int second = 1; second <= seconds; second++) {
        jobs.submit(story.at(second));
        long next = begun + second * pace.toNanos();
        while (System.nanoTime() < next) {
          LockSupport.parkNanos(next - System.nanoTime());
        }
      }
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
