package dev.ebb.demo;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.JobQueue;
import dev.ebb.db.connection.Database;
import dev.ebb.db.json.DeliveryJson;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The demo's trickle of payment notifications: one a second, and an hour of them at most. */
final class Traffic implements AutoCloseable {
  static final String QUEUE = "demo";
  static final int MAX_NOTIFICATIONS = 3600;
  private static final Logger LOG = LoggerFactory.getLogger(Traffic.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final String[] CURRENCIES = {"EUR", "USD", "CNY", "GBP"};

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("traffic").factory());
  private final JobQueue jobs;
  private final String url;
  private int sent;

  private Traffic(Database database, String url) {
    this.jobs = new JobQueue(database);
    this.url = url;
  }

  /** Starts to submit deliveries to the URL. */
  static Traffic start(Database database, String url) {
    Traffic traffic = new Traffic(database, url);
    var _ = traffic.thread.scheduleAtFixedRate(traffic::submit, 0, 1, TimeUnit.SECONDS);
    return traffic;
  }

  private void submit() {
    if (sent == MAX_NOTIFICATIONS) {
      thread.shutdown();
      return;
    }
    sent++;
    try {
      jobs.submit(List.of(notification(sent)));
    } catch (SQLException | RuntimeException lost) {
      LOG.warn("a notification was not submitted: {}", lost.getMessage());
    }
  }

  private NewJob notification(int number) {
    String payload =
        """
        {"url":"%s","body":{"event":"payment.succeeded","order":"%06d","amount":%d,"currency":"%s"}}
        """
            .formatted(url, number, 100 + 37 * number, CURRENCIES[number % CURRENCIES.length]);
    return NewJob.builder(DeliveryJson.KIND, payload.strip()).queue(QUEUE).timeout(TIMEOUT).build();
  }

  @Override
  public void close() {
    thread.close();
  }
}
