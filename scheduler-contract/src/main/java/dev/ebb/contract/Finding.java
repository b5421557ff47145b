package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Something that is wrong now.
 *
 * @param code for programs; later releases have more
 * @param verdict bad if jobs do not run because of it, or may be lost; warn otherwise
 * @param summary what is wrong
 * @param advice what to do about it
 * @param queue that it is about; absent for others, as is {@code node}
 * @param node the node that it is about; {@code null} for others
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Finding(
    String code,
    String verdict,
    String summary,
    String advice,
    @Nullable String queue,
    @Nullable String node) {

  /** {@return whether it is bad} */
  @JsonIgnore
  public boolean isBad() {
    return verdict.equals("bad");
  }
}
