package dev.ebb.ui.page.share;

import dev.ebb.core.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;

/** The style of the page, which stands in it: it asks for no other file. */
public final class ShareStyle {
  /** The style sheet. */
  public static final String CSS = read();

  /** Of all answers there: they are for one reader, who is led nowhere, and run nothing. */
  public static final Map<String, String> HEADERS =
      Map.of(
          "Cache-Control",
          "no-store",
          "Content-Security-Policy",
          "default-src 'none'; style-src 'sha256-"
              + digest()
              + "'; base-uri 'none';"
              + " form-action 'none'; frame-ancestors 'none'",
          "Referrer-Policy",
          "no-referrer",
          "X-Robots-Tag",
          "noindex, nofollow, noarchive");

  private ShareStyle() {}

  private static String digest() {
    return Base64.getEncoder().encodeToString(Sha256.of(CSS));
  }

  private static String read() {
    try (InputStream file =
        Objects.requireNonNull(ShareStyle.class.getResourceAsStream("/dev/ebb/ui/share.css"))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
