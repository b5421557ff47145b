package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * One broken rule, and where it was broken.
 *
 * @param pointer the JSON Pointer (RFC 6901) into the body, {@code ""} for the whole; {@code null}
 *     where a parameter broke it
 * @param parameter the name of the query or path parameter; {@code null} where the body broke it
 * @param rule the rule, to be read after the field's name: "must be …"
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Violation(@Nullable String pointer, @Nullable String parameter, String rule) {
  boolean isAt(String place) {
    return pointer != null && (pointer.equals(place) || pointer.startsWith(place + "/"));
  }
}
