package dev.ebb.core.signing;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How receivers know a key and its owner, in layouts that have a place for that.
 *
 * @param serial of the key, 1 to 64 letters, digits and {@code _.-}; {@code null} for the key's id
 * @param headerPrefix with which the headers' names begin, 1 to 40 letters, digits and hyphens from
 *     a letter to a letter or digit; {@code null} for the layout's own
 * @param clientId by which the receiver is known to the sender, as {@code serial}; {@code null} for
 *     none
 */
public record SignerNames(
    @Nullable String serial, @Nullable String headerPrefix, @Nullable String clientId) {
  /** None of them. */
  public static final SignerNames NONE = new SignerNames(null, null, null);

  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
  private static final Pattern PREFIX =
      Pattern.compile("[A-Za-z](?:[A-Za-z0-9-]{0,38}[A-Za-z0-9])?");

  /** Headers that the delivery writes itself. */
  private static final Pattern RESERVED =
      Pattern.compile("(?:webhook|ebb|proxy)(?:-.*)?", Pattern.CASE_INSENSITIVE);

  public SignerNames {
    requireWord(serial, "serial");
    requireWord(clientId, "clientId");
    if (headerPrefix != null) {
      require(
          PREFIX.matcher(headerPrefix).matches(),
          "headerPrefix",
          "must be 1 to 40 letters, digits and hyphens, from a letter to a letter or digit");
      require(
          !RESERVED.matcher(headerPrefix).matches(),
          "headerPrefix",
          "is reserved: the delivery writes such headers");
    }
  }

  private static void requireWord(@Nullable String text, String field) {
    require(
        text == null || WORD.matcher(text).matches(),
        field,
        "must be 1 to 64 letters, digits and _.-");
  }

  /** For a layout without a place for it. */
  void requireNone(String field, @Nullable String text) {
    if (text != null) {
      throw new InvalidInput(field, "must be absent: the scheme has no place for it");
    }
  }
}
