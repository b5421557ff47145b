package dev.ebb.demo;

import dev.ebb.core.access.Act;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.ResponseRules;
import dev.ebb.core.http.SuccessRule;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.db.connection.Database;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The merchants that the demo's payouts go to, each with an address and limits of its own. */
final class DemoDestinations {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final RateLimit LIMIT = RateLimit.of(2, Duration.ofSeconds(30), 4);

  /**
   * A merchant.
   *
   * @param path which tells the echo merchant how to answer
   */
  private record Paid(String name, String path, String success) {}

  private static final List<Paid> PAID =
      List.of(
          new Paid("books-turin", "/as/mix/books-turin", "http-2xx"),
          new Paid("cafe-wien", "/as/success/cafe-wien", "alipay"),
          new Paid("shoes-porto", "/as/500/shoes-porto", "http-2xx"),
          new Paid("tea-shanghai", "/as/429/tea-shanghai", "wechat-v3"));

  private DemoDestinations() {}

  /** Their names, in the order in which payouts go to them. */
  static List<String> names() {
    return PAID.stream().map(Paid::name).toList();
  }

  /** Creates those that are not there yet. */
  static void create(Database database, String merchants) throws SQLException {
    Queues queues = new Queues(database);
    Act act = Act.onMachine("demo");
    for (Paid paid : PAID) {
      if (queues.find(paid.name()).isEmpty()) {
        QueueSettings settings = new QueueSettings(false, DemoQueues.THROTTLED, LIMIT, 5);
        var _ =
            queues.putDestination(
                paid.name(), settings.to(destination(merchants, paid)), act, _ -> {});
      }
    }
  }

  private static Destination destination(String merchants, Paid paid) {
    return new Destination(
        URI.create(merchants + paid.path()),
        null,
        Map.of(),
        new ResponseRules(SuccessRule.preset(paid.success()), List.of()),
        TIMEOUT,
        Map.of(Story.SUBJECT, paid.name()));
  }
}
