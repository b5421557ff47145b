package dev.ebb.demo;

import dev.ebb.api.access.AccessConfig;
import dev.ebb.app.merchant.Merchant;
import dev.ebb.app.roles.Lifetime;
import dev.ebb.app.roles.Node;
import dev.ebb.app.roles.Ports;
import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.core.access.Act;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.Backoff;
import dev.ebb.core.retry.Growth;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.QueueView;
import dev.ebb.db.queue.Queues;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;

/** Everything in one process: PostgreSQL, API, worker, merchant, and traffic between them. */
final class Demo {
  private static final String LOOPBACK = "127.0.0.1";

  /** Gives up after half a minute to a minute, so that a dead letter is soon there to see. */
  private static final RetryPolicy POLICY =
      RetryPolicy.of(
          new Backoff.Full(
              Duration.ofMillis(200), new Growth(Duration.ofSeconds(2), 2, Duration.ofSeconds(16))),
          6);

  /** Slow enough to be seen: cold after ten seconds without traffic. */
  private static final RateLimit LIMIT = RateLimit.of(20, Duration.ofSeconds(10), 4);

  private Demo() {}

  /** Where the demo keeps its log. */
  static Path log(Settings settings) {
    return settings.home().resolve("demo").resolve("ebb.log");
  }

  private static void requireLoopback(Settings settings) {
    if (!Ports.isLoopback(settings.httpHost())) {
      throw CannotStart.wrongUse(
          "The demo asks for no token, so it listens on a loopback address only: unset"
              + " EBB_HTTP_HOST.");
    }
  }

  /** Starts everything, and answers what to tell the person who started it. */
  static String start(Settings settings, Lifetime lifetime)
      throws SQLException, InterruptedException {
    Settings open = settings.withAccess(AccessConfig.openToAll());
    requireLoopback(open);
    Ports.requireFree(open);
    DemoFolder folder = lifetime.add(DemoFolder.take(settings.home()));
    Merchant merchant = lifetime.add(Merchant.start(LOOPBACK, settings.merchantPort()));
    EmbeddedPostgres postgres = lifetime.add(EmbeddedPostgres.start(folder.path()));
    Settings own =
        open.withDatabase(
                DatabaseConfig.of(postgres.url(), postgres.user(), postgres.password()), true)
            .withDeliveryAllow(LOOPBACK + ":" + merchant.port());
    Database database = Node.startServer(own, lifetime);
    Queues queues = new Queues(database);
    if (queues.find(Traffic.QUEUE).filter(QueueView::isConfigured).isEmpty()) {
      QueueSettings queue = new QueueSettings(false, POLICY, LIMIT, null);
      queues.put(Traffic.QUEUE, queue, true, Act.onMachine("demo"));
    }
    String deliveries = "http://" + LOOPBACK + ":" + merchant.port() + "/notifications";
    lifetime.add(Traffic.start(database, deliveries));
    return Guide.text(own, merchant, postgres, log(settings));
  }
}
