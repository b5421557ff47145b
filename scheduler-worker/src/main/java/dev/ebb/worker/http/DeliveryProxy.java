package dev.ebb.worker.http;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP proxy that all deliveries go through, each in a tunnel (CONNECT) to the address that the
 * guard has checked: the proxy looks no name up, so it cannot be led elsewhere.
 *
 * @param url {@code http://host:port}, or {@code http://user:password@host:port}
 * @param file whose first line is the URL, if any: it is read for each new connection, so that the
 *     password can be changed under a running worker
 */
public record DeliveryProxy(String url, @Nullable Path file) {
  private static final String RULE =
      "must be http://host:port or http://user:password@host:port, with nothing behind the port";

  public DeliveryProxy {
    parse(url);
  }

  /** The proxy at that URL. */
  public static DeliveryProxy of(String url) {
    return new DeliveryProxy(url, null);
  }

  /** The proxy as it is now. */
  URI current() throws IOException {
    if (file == null) {
      return parse(url);
    }
    try (Stream<String> lines = Files.lines(file)) {
      return parse(lines.findFirst().orElse("").strip());
    } catch (UncheckedIOException | InvalidInput unreadable) {
      throw new IOException(file + " cannot be read as a proxy's URL", unreadable);
    }
  }

  private static URI parse(String text) {
    try {
      URI url = new URI(text).parseServerAuthority();
      require(
          "http".equals(url.getScheme())
              && url.getHost() != null
              && url.getPort() > 0
              && url.getPort() < 65_536
              && (url.getRawUserInfo() == null || url.getRawUserInfo().indexOf(':') > 0)
              && url.getRawPath().matches("/?")
              && url.getRawQuery() == null
              && url.getRawFragment() == null,
          "proxy",
          RULE);
      return url;
    } catch (URISyntaxException wrong) {
      throw new InvalidInput("proxy", RULE);
    }
  }

  /** Without its user and password, so that it can be logged. */
  @Override
  public String toString() {
    URI parsed = parse(url);
    return "http://" + parsed.getHost() + ":" + parsed.getPort();
  }
}
