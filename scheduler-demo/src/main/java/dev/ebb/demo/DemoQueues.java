package dev.ebb.demo;

import dev.ebb.core.access.Act;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.connection.Database;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.QueueView;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.settings.ClusterSettings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/**
 * The settings of the queues of the {@link Story}, and the choice of what its jobs are about; those
 * that somebody changed stay as they are.
 */
final class DemoQueues {
  /** Gives up after half a minute to a minute, so that a dead letter is soon there to see. */
  private static final RetryPolicy DEMO = policy(2, 16, 6);

  /**
   * Slow enough to be seen: cold after ten seconds without traffic. A minute's jobs are more than
   * the 40 that it takes to be warm again, so that the full rate is seen, too.
   */
  static final RateLimit DEMO_LIMIT = RateLimit.of(10, Duration.ofSeconds(10), 4);

  /** Retries that are spread over the hour ahead. */
  private static final RetryPolicy PATIENT = policy(120, 1_200, 8);

  /** Dead letters within seconds. */
  private static final RetryPolicy SHORT = policy(1, 4, 3);

  static final RetryPolicy THROTTLED = policy(8, 30, 3);

  private static final Map<String, QueueSettings> SETTINGS =
      Map.of(
          Story.DEMO, new QueueSettings(false, DEMO, DEMO_LIMIT, null),
          Story.NOTIFICATIONS, new QueueSettings(false, PATIENT, null, null),
          Story.SETTLEMENTS, new QueueSettings(false, PATIENT, null, 5),
          Story.REFUNDS, new QueueSettings(false, SHORT, null, null),
          Story.WEBHOOKS,
              new QueueSettings(
                  false, THROTTLED, RateLimit.of(4, Duration.ofSeconds(60), 4), null));

  private DemoQueues() {}

  private static RetryPolicy policy(int baseSeconds, int capSeconds, int attempts) {
    Growth growth = new Growth(Duration.ofSeconds(baseSeconds), 2, Duration.ofSeconds(capSeconds));
    return RetryPolicy.of(new Backoff.Full(Duration.ofMillis(200), growth), attempts);
  }

  /** Creates those that have no settings yet and, with the first of them, the choice. */
  static void create(Database database) throws SQLException {
    Queues queues = new Queues(database);
    Act act = Act.onMachine("demo");
    if (!isConfigured(queues, Story.DEMO)) {
      var _ = new ClusterSettings(database).choose(Story.SUBJECT, act);
    }
    for (Map.Entry<String, QueueSettings> queue : SETTINGS.entrySet()) {
      if (!isConfigured(queues, queue.getKey())) {
        queues.put(queue.getKey(), queue.getValue(), true, act);
      }
    }
  }

  private static boolean isConfigured(Queues queues, String queue) throws SQLException {
    return queues.find(queue).filter(QueueView::isConfigured).isPresent();
  }
}
