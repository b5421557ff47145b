package dev.ebb.demo;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.json.DeliveryJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a payments team submits in an hour, second by second: most of its merchants answer, one
 * fails, one is slow, one hangs up, one throttles, and one has good and bad moments.
 */
final class Story {
  /** The queue of the guide's commands, whose merchant answers as it was told. */
  static final String DEMO = "demo";

  static final String NOTIFICATIONS = "notifications";
  static final String SETTLEMENTS = "settlements";
  static final String REFUNDS = "refunds";
  static final String WEBHOOKS = "webhooks";

  /** The label that tells which merchant a job is about. */
  static final String SUBJECT = "merchant";

  /** How long it goes on, in seconds. */
  static final int LENGTH = 3600;

  /** What lies ahead when it begins, so that the forecast has something to show. */
  static final int SCHEDULED = 90;

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(2);
  private static final String[] CURRENCIES = {"EUR", "USD", "CNY", "GBP"};

  private final String merchants;

  /** Of the merchants at the URL, which has no path. */
  Story(String merchants) {
    this.merchants = merchants;
  }

  /** A merchant; what its path begins with tells the echo merchant how to answer. */
  private enum Shop {
    BAKERY("bakery-lyon", "eu-west", ""),
    CAFE("cafe-wien", "eu-central", ""),
    FLOWERS("flowers-delft", "eu-west", ""),
    BOOKS("books-turin", "eu-south", "/as/mix"),
    SHOES("shoes-porto", "eu-south", "/as/500"),
    TOYS("toys-oslo", "eu-north", "/as/slow"),
    BIKES("bikes-ghent", "eu-west", "/as/close"),
    TEA("tea-shanghai", "ap-east", "/as/429");

    private final String id;
    private final String region;
    private final String behaviour;

    Shop(String id, String region, String behaviour) {
      this.id = id;
      this.region = region;
      this.behaviour = behaviour;
    }
  }

  private static final Shop[] NOTIFIED = {
    Shop.BAKERY, Shop.CAFE, Shop.FLOWERS, Shop.BOOKS, Shop.BAKERY, Shop.BOOKS, Shop.CAFE
  };
  private static final Shop[] SETTLED = {Shop.BAKERY, Shop.FLOWERS, Shop.CAFE};
  private static final Shop[] REFUNDED = {
    Shop.SHOES, Shop.BAKERY, Shop.TOYS, Shop.CAFE, Shop.BIKES, Shop.FLOWERS
  };

  /** The jobs of a second, from 1. */
  List<NewJob> at(int second) {
    List<NewJob> jobs = new ArrayList<>();
    if (second == 1) {
      for (int i = 1; i <= SCHEDULED; i++) {
        jobs.add(settlement(-i, Duration.ofSeconds(60 + 40L * i)));
      }
    }
    jobs.add(demo(second));
    jobs.add(notification(second));
    if (second % 2 == 0) {
      jobs.add(webhook(second / 2));
    } else {
      jobs.add(settlement(second / 2, Duration.ZERO));
    }
    if (second % 3 == 0) {
      jobs.add(refund(second / 3));
    }
    if (second % 6 == 0) {
      jobs.add(payout(second / 6));
    }
    return jobs;
  }

  private NewJob demo(int number) {
    return delivery(DEMO, merchants + "/notifications", "payment.succeeded", number)
        .labels(Map.of(SUBJECT, "kiosk-berlin"))
        .timeout(TIMEOUT)
        .build();
  }

  private NewJob notification(int number) {
    Shop shop = number % 24 == 7 ? Shop.SHOES : NOTIFIED[number % NOTIFIED.length];
    return of(shop, NOTIFICATIONS, "payment.succeeded", number)
        .uniqueKey(String.format(Locale.ROOT, "payment-%06d", number))
        .timeout(TIMEOUT)
        .build();
  }

  private NewJob settlement(int number, Duration delay) {
    Shop shop = SETTLED[Math.floorMod(number, SETTLED.length)];
    return of(shop, SETTLEMENTS, "settlement.paid", number)
        .uniqueKey(String.format(Locale.ROOT, "settlement-%06d", number))
        .priority(7)
        .delay(delay)
        .timeout(TIMEOUT)
        .build();
  }

  private NewJob refund(int number) {
    Shop shop = REFUNDED[number % REFUNDED.length];
    return of(shop, REFUNDS, "refund.created", number)
        .uniqueKey(String.format(Locale.ROOT, "refund-%06d", number))
        .priority(2)
        .timeout(SHORT_TIMEOUT)
        .build();
  }

  private NewJob webhook(int number) {
    Shop shop = number % 16 == 4 ? Shop.TEA : SETTLED[number % SETTLED.length];
    return of(shop, WEBHOOKS, "dispute.opened", number)
        .uniqueKey(String.format(Locale.ROOT, "dispute-%06d", number))
        .timeout(TIMEOUT)
        .build();
  }

  /** To a destination, so without a URL. */
  private static NewJob payout(int number) {
    List<String> names = DemoDestinations.names();
    String merchant = names.get(number % names.size());
    return NewJob.builder(DeliveryJson.KIND, "{\"body\":" + body("payout.sent", number) + "}")
        .queue(merchant)
        .uniqueKey(String.format(Locale.ROOT, "payout-%06d", number))
        .labels(Map.of(SUBJECT, merchant, "event", "payout.sent"))
        .build();
  }

  private NewJob.Builder of(Shop shop, String queue, String event, int number) {
    String url = merchants + shop.behaviour + "/" + shop.id + "/" + queue;
    return delivery(queue, url, event, number)
        .labels(Map.of(SUBJECT, shop.id, "region", shop.region, "event", event));
  }

  private static NewJob.Builder delivery(String queue, String url, String event, int number) {
    String payload = "{\"url\":\"" + url + "\",\"body\":" + body(event, number) + "}";
    return NewJob.builder(DeliveryJson.KIND, payload).queue(queue);
  }

  private static String body(String event, int number) {
    return String.format(
        Locale.ROOT,
        "{\"event\":\"%s\",\"order\":\"%06d\",\"amount\":%d,\"currency\":\"%s\"}",
        event,
        Math.abs(number),
        100 + 37 * Math.abs(number),
        CURRENCIES[Math.abs(number) % CURRENCIES.length]);
  }
}
