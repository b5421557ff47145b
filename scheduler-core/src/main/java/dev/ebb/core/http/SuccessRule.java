package dev.ebb.core.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which responses say that a delivery was made: those with one of these statuses whose body, if it
 * is tested, says so.
 *
 * @param body {@code null} for a body that does not matter
 */
public record SuccessRule(StatusSet statuses, @Nullable BodyTest body) {
  private static final StatusSet ANY_2XX = StatusSet.of("2xx");

  /** Any 2xx, whatever the body. */
  public static final SuccessRule DEFAULT = new SuccessRule(ANY_2XX, null);

  /**
   * The rules of those who send payment notifications, by name, the default first.
   *
   * <ul>
   *   <li>{@code alipay}: a 2xx whose body is {@code success} and nothing else. Its pages write the
   *       word in lower and in upper case, so either counts, as does white space around it.
   *   <li>{@code wechat-v2}: a 2xx whose XML has the {@code return_code} SUCCESS.
   *   <li>{@code wechat-v3}: 200 or 204, whatever the body.
   * </ul>
   */
  public static final SequencedMap<String, SuccessRule> PRESETS = presets();

  private static SequencedMap<String, SuccessRule> presets() {
    SequencedMap<String, SuccessRule> presets = new LinkedHashMap<>();
    presets.put("http-2xx", DEFAULT);
    presets.put(
        "alipay",
        new SuccessRule(
            ANY_2XX,
            new BodyTest(
                BodyPart.WHOLE,
                BodyTest.Comparison.EQUALS,
                "success",
                Set.of(BodyTest.Option.TRIM, BodyTest.Option.IGNORE_CASE))));
    presets.put(
        "wechat-v2",
        new SuccessRule(
            ANY_2XX,
            new BodyTest(
                new BodyPart.Element("return_code"),
                BodyTest.Comparison.EQUALS,
                "SUCCESS",
                Set.of())));
    presets.put("wechat-v3", new SuccessRule(StatusSet.of("200", "204"), null));
    return Collections.unmodifiableSequencedMap(presets);
  }

  /** The one of {@link #PRESETS} with that name, which must be there. */
  public static SuccessRule preset(String name) {
    return Objects.requireNonNull(PRESETS.get(name), name);
  }

  /** What it is called where its text may not be quoted. */
  String word() {
    for (Map.Entry<String, SuccessRule> preset : PRESETS.entrySet()) {
      if (preset.getValue().equals(this)) {
        return "success rule " + preset.getKey();
      }
    }
    return "destination's own success rule";
  }
}
