package dev.ebb.ui.page.queues;

import dev.ebb.contract.BodyTest;
import dev.ebb.contract.Circuit;
import dev.ebb.contract.Destination;
import dev.ebb.contract.DestinationHealth;
import dev.ebb.contract.ResponseClass;
import dev.ebb.contract.TlsCertificate;
import dev.ebb.ui.page.LabelNames;
import dev.ebb.ui.words.Lengths;
import dev.ebb.ui.words.Url;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The address of a queue that is a destination, in words and as the fields of a form have it.
 *
 * @param tag of the destination, for a change
 */
public record Address(
    Destination destination, Circuit circuit, DestinationHealth health, String tag) {
  /** What each preset takes for a delivery, by name. */
  public static final SequencedMap<String, String> PRESETS = presets();

  private static SequencedMap<String, String> presets() {
    SequencedMap<String, String> presets = new LinkedHashMap<>();
    presets.put("http-2xx", "any 2xx");
    presets.put("alipay", "a 2xx that says success");
    presets.put("wechat-v2", "XML with return_code SUCCESS");
    presets.put("wechat-v3", "200 or 204");
    return presets;
  }

  /** A certificate that ends within so long needs another one. */
  private static final Duration SOON = Duration.ofDays(30);

  /** Whether the certificate has ended, or will soon. */
  public static boolean isEnding(TlsCertificate certificate, Instant now) {
    return certificate.expiresAt().isBefore(now.plus(SOON));
  }

  /** Its path in the API. */
  public String path() {
    return "/v1/destinations/" + Url.segment(destination.name());
  }

  /** That of its signing keys. */
  public String keys() {
    return path() + "/keys";
  }

  /** When a delivery counts as made. */
  public String delivered() {
    String name = destination.successName();
    return name == null
        ? response(destination.success().statuses(), destination.success().body())
        : name + ": " + PRESETS.getOrDefault(name, "");
  }

  /** A line for each class of other responses. */
  public List<String> classes() {
    return destination.classes().stream().map(Address::line).toList();
  }

  private static String line(ResponseClass one) {
    return response(one.statuses(), one.body()) + ": " + one.effect() + ", " + one.reason();
  }

  private static String response(List<String> statuses, @Nullable BodyTest body) {
    String which = String.join(" or ", statuses);
    return body == null ? which : which + " whose " + test(body);
  }

  private static String test(BodyTest test) {
    String part =
        test.pointer() != null
            ? test.pointer()
            : test.element() != null ? "<" + test.element() + ">" : "body";
    return said(part, test)
        + option(test.trim(), "trimmed")
        + option(test.ignoreCase(), "in any case")
        + option(test.partial(), "also if cut");
  }

  private static String said(String part, BodyTest test) {
    if (test.equals() != null) {
      return part + " is \"" + test.equals() + "\"";
    }
    return test.contains() != null
        ? part + " contains \"" + test.contains() + "\""
        : part + " matches " + test.matches();
  }

  private static String option(@Nullable Boolean set, String word) {
    return Boolean.TRUE.equals(set) ? ", " + word : "";
  }

  /** The headers as the page shows them: a secret's value is a mask. */
  public Map<String, String> headers() {
    return destination.headers();
  }

  /** As people type it; empty for the worker's. */
  public String timeout() {
    Duration timeout = destination.timeout();
    return timeout == null ? "" : Lengths.typed(timeout);
  }

  /** A line for each label. */
  public String labels() {
    return LabelNames.lines(destination.labels());
  }
}
