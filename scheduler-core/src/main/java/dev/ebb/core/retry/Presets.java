package dev.ebb.core.retry;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.NearMiss;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The retry policies that have a name: Ebb's own, two of the protocols that backoff comes from,
 * schedules that payment and webhook providers publish, and theirs for asking how a payment went.
 */
public final class Presets {
  /** The name of the preset that applies where nobody chose a policy. */
  public static final String DEFAULT = "default";

  private static final Map<String, RetryPolicy> ALL = Collections.unmodifiableMap(all());

  private Presets() {}

  /** The preset of that name; throws {@link InvalidInput} on the field {@code policy}. */
  public static RetryPolicy policy(String name) {
    RetryPolicy found = ALL.get(name);
    if (found == null) {
      throw new InvalidInput(
          "policy",
          "must be one of the presets "
              + String.join(", ", ALL.keySet())
              + NearMiss.of(name, ALL.keySet())
                  .map(near -> "; did you mean " + near + "?")
                  .orElse(""));
    }
    return found;
  }

  /** The names of all presets, in alphabetical order. */
  public static Set<String> names() {
    return ALL.keySet();
  }

  private static Map<String, RetryPolicy> all() {
    Map<String, RetryPolicy> all = new TreeMap<>();
    Growth doubling = new Growth(Duration.ofSeconds(10), 2, Duration.ofHours(6));
    // Gives up after 14.7 hours on average, 29.4 hours at the latest.
    all.put(DEFAULT, RetryPolicy.of(new Backoff.Full(Duration.ZERO, doubling), 16));
    // IEEE 802.3, half duplex at 10 Mbit/s: a slot of 512 bit times, attemptLimit 16.
    all.put("ethernet", RetryPolicy.of(new SlotBackoff(Duration.ofNanos(51_200)), 16));
    // RFC 3261, 17.1.2: Timer E from T1 = 500 ms doubles up to T2 = 4 s, until Timer F = 64 · T1 =
    // 32 s ends it. The sends at 0, 0.5, 1.5, 3.5, 7.5, 11.5 … 31.5 s are eleven.
    Growth timerE = new Growth(Duration.ofMillis(500), 2, Duration.ofSeconds(4));
    all.put("sip", RetryPolicy.of(new Backoff.None(timerE), 11));
    // Alipay (Antom): 8 sends within 24 h 22 min.
    all.put("alipay", list(0, "2M 10M 10M 1H 2H 6H 15H"));
    // WeChat Pay v2: 16 sends within 24 h 4 min; its partner pages have 10 within 3 h 4 min.
    all.put("wechat", list(0, "15S 15S 30S 3M 10M 20M 30M 30M 30M 60M 3H 3H 3H 6H 6H"));
    all.put("wechat-partner", list(0, "15S 15S 30S 3M 30M 30M 30M 30M 60M"));
    // Adyen: three quick ones, and then every eight hours up to 30 days.
    all.put("adyen", list(0, "9S 18S 27S 2M 5M 10M 15M 30M 1H 2H 4H 8H" + " 8H".repeat(87)));
    // Square, by its older page: 78 sends within 72 hours and some minutes.
    all.put("square", list(0, "1M 2M 4M 8M 16M 32M" + " 1H".repeat(71)));
    // PayerMax: 6 sends within about 13 hours.
    all.put("payermax", list(0, "30S 5M 10M 1H 12H"));
    // Juspay, UPI: 16 retries within 24 hours.
    all.put("juspay", list(0, "1M 5M 5M 10M 10M 10M 10M 10M 1H 1H 1H 1H 1H 6H 6H 6H"));
    // Circle CPN: 11 retries within about 36 hours.
    all.put("circle", list(0, "1S 10S 30S 1M 15M 1H 3H 5H 6H 10H 11H"));
    // Standard Webhooks 1.0: its example, which asks for jitter without saying how much.
    all.put("standard-webhooks", list(0.1, "5S 5M 30M 2H 5H 10H 14H 20H 24H"));
    // Svix spreads each step by a fifth both ways; here jitter only shortens a step.
    all.put("svix", list(0.2, "5S 5M 30M 2H 5H 10H 10H"));
    // How to ask whether a payment was made; the deadlines leave room for how long answers take.
    // WeChat Pay, face to face: at 10, 20 … 60, 80, 100 s,
    // 2,
    // 4, 6, 8, 10 min, and then every 5 min up to 65 min.
    String tens = "10S 10S 10S 10S 10S 10S 20S 20S 20S 2M 2M 2M 2M";
    all.put("wechat-ask", asking(tens + " 5M".repeat(11), "PT66M"));
    // WeChat Quick Pay: every 3 to 5 s within 45 s.
    all.put("wechat-quick-ask", asking("5S", "PT45S"));
    // Alipay, barcode: after 5 s, and then up to 20 times at 3 s, before the payment is cancelled.
    all.put("alipay-ask", asking("5S 3S", "PT67S"));
    // NPCI, IMPS: three checks, 56 to 65, 66 to 75 and 76 to 85 s after the payment. The job's own
    // delay of 58 s brings the first, and the deadline counts from there.
    all.put("imps-ask", asking("10S", "PT27S"));
    // PIX: from 5 s growing until its QR code expires, which is a day unless it says otherwise.
    Growth growing = new Growth(Duration.ofSeconds(5), 2, Duration.ofMinutes(5));
    all.put("pix-ask", asking(new Backoff.None(growing), "P1D"));
    return all;
  }

  /**
   * Delays between questions until the deadline; an error is tried again as often as a question.
   */
  private static RetryPolicy asking(String steps, String deadline) {
    return asking(list(0, steps).backoff(), deadline);
  }

  private static RetryPolicy asking(Backoff backoff, String deadline) {
    return new RetryPolicy(backoff, RetryPolicy.MAX_ATTEMPTS, Duration.parse(deadline), Map.of());
  }

  /** A list of steps that are used once each. */
  private static RetryPolicy list(double proportion, String steps) {
    List<Duration> durations =
        Arrays.stream(steps.split(" ")).map(step -> Duration.parse("PT" + step)).toList();
    return RetryPolicy.of(new ListBackoff(durations, proportion), durations.size() + 1);
  }
}
