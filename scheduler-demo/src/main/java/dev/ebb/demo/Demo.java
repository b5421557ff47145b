package dev.ebb.demo;

import dev.ebb.api.access.AccessConfig;
import dev.ebb.app.merchant.Merchant;
import dev.ebb.app.roles.Lifetime;
import dev.ebb.app.roles.Node;
import dev.ebb.app.roles.Ports;
import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.core.Sha256;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Base64;

/** Everything in one process: PostgreSQL, API, worker, merchant, and traffic between them. */
final class Demo {
  private static final String LOOPBACK = "127.0.0.1";

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

  /** Those of the settings, or else a key that lasts as long as the demo's database. */
  private static SecretBox secrets(Settings settings, EmbeddedPostgres postgres) {
    byte[] drawn = Sha256.of("secrets of the demo " + postgres.password());
    return settings.secrets().canSeal()
        ? settings.secrets()
        : SecretBox.parse(Base64.getEncoder().encodeToString(drawn));
  }

  /** Starts everything, and answers what to tell the person who started it. */
  static String start(Settings settings, Lifetime lifetime)
      throws SQLException, InterruptedException {
    AccessConfig all = AccessConfig.openToAll().withReadOnly(settings.access().readOnly());
    Settings open = settings.withAccess(all);
    requireLoopback(open);
    Ports.requireFree(open);
    DemoFolder folder = lifetime.add(DemoFolder.take(settings.home()));
    Merchant merchant = lifetime.add(Merchant.start(LOOPBACK, settings.merchantPort()));
    EmbeddedPostgres postgres = lifetime.add(EmbeddedPostgres.start(folder.path()));
    Settings own =
        open.withDatabase(
                DatabaseConfig.of(postgres.url(), postgres.user(), postgres.password()), true)
            .withSecrets(secrets(settings, postgres))
            .withDeliveryAllow(LOOPBACK + ":" + merchant.port() + "," + settings.deliveryAllow());
    Database database = Node.startServer(own, lifetime);
    String merchants = "http://" + LOOPBACK + ":" + merchant.port();
    DemoQueues.create(database);
    DemoDestinations.create(database, merchants);
    DemoSchedules.create(database, merchants);
    Story story = new Story(merchants);
    lifetime.add(Traffic.start(database, story));
    return Guide.text(own, merchant, postgres, log(settings));
  }
}
