package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a request was refused (RFC 9457).
 *
 * @param type a URI of the kind of problem
 * @param title the kind of problem in words
 * @param status the HTTP status
 * @param detail a sentence for people
 * @param instance the path of the request
 * @param code its stable name, such as {@code queue_full}; others may come
 * @param retryable whether the same request may be served later
 * @param existing the path of the resource that stands in the way
 * @param traceId under which the log has more, where something is wrong with the server
 * @param errors the rules that were broken, in the order in which they were found
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
    String type,
    String title,
    int status,
    String detail,
    @Nullable String instance,
    String code,
    boolean retryable,
    @Nullable String existing,
    @Nullable String traceId,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Violation> errors) {

  /**
   * The rule that a field of the body breaks, or one below it.
   *
   * @param pointer the JSON pointer of the field
   * @return the rule; {@code null} if it keeps all
   */
  public @Nullable String at(String pointer) {
    return errors.stream()
        .filter(one -> one.isAt(pointer))
        .map(Violation::rule)
        .findFirst()
        .orElse(null);
  }
}
