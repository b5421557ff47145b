package dev.ebb.bench.sink;

import dev.ebb.bench.contender.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A request with a {@link Payload}.
 *
 * @param signed whether it has a signature by Standard Webhooks' {@code v1}
 */
record Delivered(int number, boolean signed) {
  /** Of a head and a body together: those of the bench have about 700. */
  static final int MOST_BYTES = 2_048;

  private static final String END = "\r\n\r\n";
  private static final String LENGTH = "\r\ncontent-length: ";
  private static final String SIGNATURE = "\r\nwebhook-signature: v1,";

  /** Takes one out of what was read; {@code null} and everything left while it is not whole. */
  static @Nullable Delivered read(ByteBuffer buffer) {
    String text =
        StandardCharsets.US_ASCII
            .decode(buffer.duplicate().flip())
            .toString()
            .toLowerCase(Locale.ROOT);
    int body = text.indexOf(END) + END.length();
    if (body < END.length()) {
      return null;
    }
    int length = text.indexOf(LENGTH) + LENGTH.length();
    int bytes = Integer.parseInt(text, length, text.indexOf('\r', length), 10);
    if (text.length() < body + bytes) {
      return null;
    }
    buffer.clear();
    int signature = text.indexOf(SIGNATURE);
    return new Delivered(
        Payload.number(text.substring(body, body + bytes)), signature > 0 && signature < body);
  }
}
