package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thing about the database, and how it stands.
 *
 * @param code by which programs know it
 * @param theme what part of the database it is about
 * @param verdict ok, unknown, warn or bad
 * @param value what was measured; {@code null} where nothing is
 * @param unit of the value: seconds, bytes, ratio, or what is counted
 * @param warnFrom absent where the verdict does not depend on the size of the value
 * @param badFrom the value from which it is bad; {@code null} for none
 * @param summary a sentence for people
 * @param rule by which it was judged
 * @param advice what to do, and what it costs; {@code null} if it is well
 * @param commands that mend it, or tell more
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DatabaseFinding(
    String code,
    String theme,
    String verdict,
    @Nullable Double value,
    @Nullable String unit,
    @Nullable Double warnFrom,
    @Nullable Double badFrom,
    String summary,
    String rule,
    @Nullable String advice,
    @Nullable List<String> commands) {

  /** {@return the commands; empty for none} */
  public List<String> orders() {
    return Objects.requireNonNullElse(commands, List.of());
  }

  /** {@return whether it is bad} */
  @JsonIgnore
  public boolean isBad() {
    return verdict.equals("bad");
  }

  /** {@return whether it needs somebody} */
  @JsonIgnore
  public boolean isWrong() {
    return isBad() || verdict.equals("warn");
  }

  /** {@return whether it could not be measured} */
  @JsonIgnore
  public boolean isUnknown() {
    return verdict.equals("unknown");
  }
}
