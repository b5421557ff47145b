package dev.ebb.core.failure;

import dev.ebb.core.Sha256;
import dev.ebb.core.job.Failure;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A failure without what differs from job to job. The rule, in this order:
 *
 * <pre>
 *   "x"  'x'  `x`  «x»                  &lt;text&gt;     also unclosed, but for ' alone
 *   https://a.example/b?c               &lt;url&gt;      up to a blank, quote or bracket
 *   ada@shop.example                    &lt;email&gt;
 *   shop.example:443  10.0.0.7  fe80::1 &lt;host&gt;
 *   2027-01-31T08:00:00Z  08:00:00      &lt;time&gt;
 *   0x1f  9f86d081  a UUID  3MqL9Zf     &lt;id&gt;       hexadecimal from 8 characters on;
 *                                                  digits in two places of a word, or
 *                                                  anywhere in one of 16 characters;
 *                                                  any of more than 40
 *   30  1,234.5  shop42                 &lt;number&gt;   shop&lt;number&gt;
 *   blanks and control characters       one blank
 * </pre>
 *
 * <p>Placeholders of one sort in a row, with blanks or commas between them, are one. All else stays
 * as it is, up to {@value #MAX_LENGTH} characters. The time it takes grows with the length of the
 * text, whatever is in it.
 *
 * @param reason the failure's, by the same rule unless it is a plain word such as {@code http_500}
 * @param text the pattern of its message
 */
public record ErrorPattern(String reason, String text) {
  public static final int MAX_LENGTH = 300;

  private static final Pattern PLAIN_REASON = Pattern.compile("[a-z][a-z0-9_]{0,63}");

  public static ErrorPattern of(Failure failure) {
    return of(failure.reason(), failure.message());
  }

  /** The same of a failure's parts, however long they are. */
  public static ErrorPattern of(String reason, String message) {
    boolean plain = PLAIN_REASON.matcher(reason).matches();
    return new ErrorPattern(plain ? reason : PatternText.of(reason), PatternText.of(message));
  }

  /** The id of the failures with this pattern in the queue and of the kind: always the same. */
  public UUID group(String queue, String kind) {
    return hashed(queue, kind, reason, text);
  }

  /** The same of those of one subject alone. */
  public UUID group(String queue, String kind, String subject) {
    return hashed(queue, kind, reason, text, subject);
  }

  private static UUID hashed(String... parts) {
    ByteBuffer hash = ByteBuffer.wrap(Sha256.of(String.join("\0", parts)));
    // Version 8 of RFC 9562: a UUID whose bits have a meaning of their own.
    long most = (hash.getLong() & ~0xF000L) | 0x8000L;
    long least = (hash.getLong() & ~(0b11L << 62)) | (0b10L << 62);
    return new UUID(most, least);
  }
}
