package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field that was changed; of one that is not shown, a payload, only its name.
 *
 * @param field the name of the field
 * @param from its old value, in up to 500 characters; {@code null} for none
 * @param to its new value, in up to 500 characters; {@code null} for none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AuditChange(String field, @Nullable String from, @Nullable String to) {

  private String words() {
    if (from == null) {
      return to == null ? field + " changed" : field + ": " + to;
    }
    return field + ": " + from + " → " + (to == null ? "none" : to);
  }

  /** From what to what, in words. */
  static List<String> words(@Nullable List<AuditChange> changes) {
    return changes == null ? List.of() : changes.stream().map(AuditChange::words).toList();
  }
}
