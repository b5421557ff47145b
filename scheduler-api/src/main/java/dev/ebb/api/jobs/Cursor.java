package dev.ebb.api.jobs;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.job.JobState;
import dev.ebb.db.view.JobFilter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a list goes on, bound to its filter: the last id that was shown, then the first half of a
 * SHA-256 of the filter, in base64url.
 */
final class Cursor {
  private static final int ID_BYTES = 16;
  private static final int DIGEST_BYTES = 16;

  private Cursor() {}

  static String write(JobFilter filter, UUID last) {
    byte[] bytes =
        ByteBuffer.allocate(ID_BYTES + DIGEST_BYTES)
            .putLong(last.getMostSignificantBits())
            .putLong(last.getLeastSignificantBits())
            .put(digest(filter), 0, DIGEST_BYTES)
            .array();
    return encode(bytes);
  }

  static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The id that the cursor holds; refuses one that was made for another filter. */
  static UUID read(String cursor, JobFilter filter) {
    byte[] bytes = decode(cursor, ID_BYTES + DIGEST_BYTES);
    byte[] bound = Arrays.copyOfRange(bytes, ID_BYTES, bytes.length);
    if (!Arrays.equals(bound, Arrays.copyOf(digest(filter), DIGEST_BYTES))) {
      throw Refusal.of(
          ProblemCode.INVALID_CURSOR,
          "The cursor must be used with the filter of the list that answered it.");
    }
    ByteBuffer id = ByteBuffer.wrap(bytes);
    return new UUID(id.getLong(), id.getLong());
  }

  /** The bytes of a cursor. */
  static byte[] decode(String cursor, int length) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(cursor);
      if (bytes.length == length) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      // Refused below.
    }
    throw Refusal.unknownCursor();
  }

  private static byte[] digest(JobFilter filter) {
    JobState state = filter.state();
    String text =
        part(filter.queue()) + part(state == null ? null : state.word()) + part(filter.kind());
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static String part(@Nullable String value) {
    return value == null ? "-" : "=" + value + "\n";
  }
}
