package dev.ebb.demo;

import dev.ebb.db.JobQueue;
import dev.ebb.db.connection.Database;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what a {@link Story} tells, once a second, to its end. */
final class Traffic implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Traffic.class);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("traffic").factory());
  private final JobQueue jobs;
  private final Story story;
  private final DemoRedrive redrive;
  private int second;

  private Traffic(Database database, Story story) {
    this.jobs = new JobQueue(database);
    this.story = story;
    this.redrive = new DemoRedrive(database);
  }

  static Traffic start(Database database, Story story) {
    Traffic traffic = new Traffic(database, story);
    var _ = traffic.thread.scheduleAtFixedRate(traffic::tell, 0, 1, TimeUnit.SECONDS);
    return traffic;
  }

  private void tell() {
    if (second == Story.LENGTH) {
      thread.shutdown();
      return;
    }
    second++;
    try {
      jobs.submit(story.at(second));
      if (second == DemoRedrive.SECOND) {
        redrive.begin();
      }
    } catch (SQLException | RuntimeException lost) {
      LOG.warn("a second of the story was lost: {}", lost.getMessage());
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
