package dev.ebb.core.access;

import dev.ebb.core.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a token, {@code ebb_} + id + {@code _} + secret, and the hash of it that is stored.
 *
 * <p>The id has 40 bits and finds the token's row; the secret has 160. Both are written in the
 * digits of Crockford's Base32, in lower case. A hash without salt or rounds is enough for 160
 * random bits.
 */
public final class AccessToken {
  /** How many random bytes a token takes. */
  public static final int BYTES = 25;

  private static final int ID_BYTES = 5;
  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final Pattern TEXT =
      Pattern.compile("ebb_([" + DIGITS + "]{8})_[" + DIGITS + "]{32}");

  private AccessToken() {}

  /**
   * The text of a new token.
   *
   * @param random {@value #BYTES} bytes that nobody can foretell
   */
  public static String text(byte[] random) {
    String digits = digits(random);
    int id = ID_BYTES * 8 / 5;
    return "ebb_" + digits.substring(0, id) + "_" + digits.substring(id);
  }

  /** The id within a token's text; empty if it is none. */
  public static Optional<String> id(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** The SHA-256 of a token's text, in hexadecimal digits. */
  public static String hash(String text) {
    return HexFormat.of().formatHex(Sha256.of(text));
  }

  /** Whether two hashes are equal, in a time that does not tell where they differ. */
  public static boolean isSame(String hash, String other) {
    return MessageDigest.isEqual(
        hash.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }

  /** Five bytes are eight digits. */
  private static String digits(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < bytes.length; i += ID_BYTES) {
      long block = 0;
      for (int j = 0; j < ID_BYTES; j++) {
        block = block << 8 | (bytes[i + j] & 0xff);
      }
      for (int shift = 35; shift >= 0; shift -= 5) {
        text.append(DIGITS.charAt((int) (block >>> shift) & 31));
      }
    }
    return text.toString();
  }
}
