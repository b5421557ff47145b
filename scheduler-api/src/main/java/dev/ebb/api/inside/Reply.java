package dev.ebb.api.inside;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the API answers. */
public final class Reply {
  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;

  Reply(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = Map.copyOf(headers);
    this.body = body;
  }

  /** Of HTTP. */
  public int status() {
    return status;
  }

  /** Whether it is what was asked for. */
  public boolean isOk() {
    return status >= 200 && status < 300;
  }

  /** The header's value, whatever the case of its name; {@code null} without one. */
  public @Nullable String header(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }

  /** The body as text. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
