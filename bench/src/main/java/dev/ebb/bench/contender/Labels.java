package dev.ebb.bench.contender;

import java.util.Map;

/** What a job that people will look for carries: three labels and a unique key. */
public final class Labels {
  private static final int MERCHANTS = 1_000;
  private static final int REGIONS = 5;

  private Labels() {}

  static Map<String, String> of(int number) {
    return Map.of(
        "order", Integer.toString(number),
        "merchant", "merchant-" + number % MERCHANTS,
        "region", "region-" + number % REGIONS);
  }

  static String key(int number) {
    return "payment-" + number;
  }

  /** The same as members of a job in JSON, each followed by a comma. */
  public static String json(String keyed, int number) {
    return "\"uniqueKey\":\""
        + keyed
        + key(number)
        + "\",\"labels\":{\"order\":\""
        + number
        + "\",\"merchant\":\"merchant-"
        + number % MERCHANTS
        + "\",\"region\":\"region-"
        + number % REGIONS
        + "\"},";
  }
}
