package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thing about the database, and how it stands.
 *
 * @param verdict ok, unknown, warn or bad
 * @param warnFrom absent where the verdict does not depend on the size of the value
 * @param rule by which it was judged
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

  /** The commands; empty for none. */
  public List<String> orders() {
    return Objects.requireNonNullElse(commands, List.of());
  }

  @JsonIgnore
  public boolean isBad() {
    return verdict.equals("bad");
  }

  /** Whether it needs somebody. */
  @JsonIgnore
  public boolean isWrong() {
    return isBad() || verdict.equals("warn");
  }

  @JsonIgnore
  public boolean isUnknown() {
    return verdict.equals("unknown");
  }
}
