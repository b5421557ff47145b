package dev.ebb.worker.http;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A body for people to read: its first {@value #MAX_BYTES} bytes, as text if they are text in UTF-8
 * or in the charset that the content type names, in base64 otherwise.
 *
 * @param base64 whether the text is base64
 */
record BodyText(String text, boolean base64) {
  static final int MAX_BYTES = 4 * 1024;

  private static final Pattern CHARSET =
      Pattern.compile(";\\s*charset\\s*=\\s*\"?([A-Za-z0-9._:-]+)", Pattern.CASE_INSENSITIVE);

  static BodyText of(byte[] body, String contentType) {
    byte[] kept = Arrays.copyOf(body, Math.min(body.length, MAX_BYTES));
    String text = decoded(kept, contentType, kept.length < body.length);
    return text == null
        ? new BodyText(Base64.getEncoder().encodeToString(kept), true)
        : new BodyText(text, false);
  }

  /**
   * The text of a body; {@code null} if it is none.
   *
   * @param cut whether the body goes on, so that its last character may be cut as well
   */
  static @Nullable String decoded(byte[] bytes, String contentType, boolean cut) {
    Matcher named = CHARSET.matcher(contentType);
    String text = decoded(bytes, StandardCharsets.UTF_8, cut);
    if (text.isEmpty() && named.find()) {
      text = decoded(bytes, Charset.forName(named.group(1), StandardCharsets.UTF_8), cut);
    }
    return text.isEmpty() && bytes.length > 0 ? null : text;
  }

  /** The text; empty if the bytes are no text that PostgreSQL can hold. */
  private static String decoded(byte[] bytes, Charset charset, boolean cut) {
    CharBuffer chars = CharBuffer.allocate(bytes.length * 2 + 2);
    var decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    boolean broken = decoder.decode(ByteBuffer.wrap(bytes), chars, !cut).isError();
    String text = chars.flip().toString();
    return broken || text.indexOf(0) >= 0 ? "" : text;
  }
}
