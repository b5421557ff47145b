package dev.ebb.core;

import java.util.regex.Pattern;

/** The rule for a JSON Pointer (RFC 6901) that people give. */
public final class JsonPointer {
  private static final Pattern POINTER = Pattern.compile("(/([^~/\\p{Cntrl}]|~[01])*){1,20}");
  private static final int MAX_LENGTH = 200;

  private JsonPointer() {}

  /** Throws {@link InvalidInput} for that field unless the text is one. */
  public static void require(String text, String field) {
    InvalidInput.require(
        text.length() <= MAX_LENGTH && POINTER.matcher(text).matches(),
        field,
        "must be a JSON Pointer such as /body/order, of at most " + MAX_LENGTH + " characters");
  }
}
