package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What a response's body must say; what does not apply is absent.
 *
 * @param pointer to what is tested of a JSON body (RFC 6901)
 * @param element the first XML element of this name is tested
 * @param equals what it must be
 * @param contains what it must contain
 * @param matches the regular expression (RE2) that must match all of it
 * @param trim present and true if white space around it does not count
 * @param ignoreCase present and true if upper and lower case are the same
 * @param partial present and true if a body that was cut is tested as far as it came
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BodyTest(
    @Nullable String pointer,
    @Nullable String element,
    @Nullable String equals,
    @Nullable String contains,
    @Nullable String matches,
    @Nullable Boolean trim,
    @Nullable Boolean ignoreCase,
    @Nullable Boolean partial) {}
