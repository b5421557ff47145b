package dev.ebb.api.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a session's cookie says: {@code KEY.TOKEN.END.SEAL}.
 *
 * <p>The seal is an HMAC-SHA-256 of what stands before it and of the token's hash. So nobody makes
 * one without the key, and none outlives its token; and of the token itself it tells the id alone.
 *
 * @param key the number of the key that sealed it
 * @param token the id of the token; {@value #ADMIN} for one that has no row
 * @param end when the session ends, in seconds since 1970
 */
record SessionSeal(int key, String token, long end, String seal) {
  /** Stands for {@code EBB_ADMIN_TOKEN}; ids have eight characters. */
  static final String ADMIN = "admin";

  private static final Pattern FORM =
      Pattern.compile("([0-9]{1,9})\\.([0-9a-z]{1,8})\\.([0-9]{1,11})\\.([A-Za-z0-9_-]{43})");
  private static final String ALGORITHM = "HmacSHA256";

  /** A new one. */
  static SessionSeal of(int key, byte[] secret, String token, String hash, Instant end) {
    long seconds = end.getEpochSecond();
    return new SessionSeal(key, token, seconds, seal(secret, key, token, seconds, hash));
  }

  /** The one that a cookie says; empty if it says none. */
  static Optional<SessionSeal> read(String cookie) {
    Matcher parts = FORM.matcher(cookie);
    return parts.matches()
        ? Optional.of(
            new SessionSeal(
                Integer.parseInt(parts.group(1)),
                parts.group(2),
                Long.parseLong(parts.group(3)),
                parts.group(4)))
        : Optional.empty();
  }

  String text() {
    return key + "." + token + "." + end + "." + seal;
  }

  boolean hasEnded(Instant now) {
    return now.getEpochSecond() >= end;
  }

  /** Whether the key's secret sealed it for the token of that hash. */
  boolean isOf(byte[] secret, String hash) {
    return MessageDigest.isEqual(
        seal.getBytes(StandardCharsets.US_ASCII),
        seal(secret, key, token, end, hash).getBytes(StandardCharsets.US_ASCII));
  }

  private static String seal(byte[] secret, int key, String token, long end, String hash) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      String sealed = "session." + key + "." + token + "." + end + "." + hash;
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(mac.doFinal(sealed.getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }
}
