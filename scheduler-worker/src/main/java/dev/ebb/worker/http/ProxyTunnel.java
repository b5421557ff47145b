package dev.ebb.worker.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A socket that connects through an HTTP proxy (RFC 9110, 9.3.6), over which the client then speaks
 * to the destination as over any other, with TLS where it is https.
 *
 * <pre>
 *   worker ──TCP──▶ proxy ──TCP──▶ 203.0.113.7:443
 *      CONNECT 203.0.113.7:443 ─▶
 *      ◀─ 200
 *      ══════ TLS for shop.example, then HTTP ═════▶
 * </pre>
 */
final class ProxyTunnel extends Socket {
  private static final int MAX_HEAD_BYTES = 16 * 1024;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[0-9] ([0-9]{3})( .*|)");

  private final DeliveryProxy proxy;
  private final Lookups lookups;
  private volatile @Nullable InetSocketAddress destination;

  /** The proxy opened no tunnel; the destination was not spoken to. */
  static final class Failed extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    private final String reason;

    Failed(String reason, String sentence) {
      super(sentence);
      this.reason = reason;
    }

    String reason() {
      return reason;
    }

    String sentence() {
      return String.valueOf(getMessage());
    }

    private static Failed unreachable(String why) {
      return new Failed("proxy_unreachable", "the proxy for deliveries cannot be reached: " + why);
    }

    private static Failed refused(String answer) {
      return new Failed("proxy_refused", "the proxy for deliveries opened no tunnel: " + answer);
    }
  }

  ProxyTunnel(DeliveryProxy proxy, Lookups lookups) {
    this.proxy = proxy;
    this.lookups = lookups;
  }

  /**
   * Connects to the proxy, and has it connect to the destination.
   *
   * @param destination resolved and checked
   * @param timeout in milliseconds, for both
   */
  @Override
  public void connect(SocketAddress destination, int timeout) throws IOException {
    if (!(destination instanceof InetSocketAddress checked) || checked.isUnresolved()) {
      throw new IllegalArgumentException("not a resolved address: " + destination);
    }
    long deadline = System.nanoTime() + Duration.ofMillis(timeout).toNanos();
    URI now = current();
    try {
      super.connect(address(now), timeout);
    } catch (IOException broken) {
      throw Failed.unreachable(broken instanceof SocketTimeoutException ? "timed out" : "refused");
    }
    try {
      getOutputStream().write(request(checked, now).getBytes(StandardCharsets.UTF_8));
      requireTunnel(head(deadline));
      setSoTimeout(0);
      this.destination = checked;
    } catch (SocketException lost) {
      throw Failed.refused("it closed the connection");
    }
  }

  /** The destination's, as far as that is reached. */
  @Override
  public @Nullable InetAddress getInetAddress() {
    InetSocketAddress reached = destination;
    return reached == null ? super.getInetAddress() : reached.getAddress();
  }

  /** The same. */
  @Override
  public int getPort() {
    InetSocketAddress reached = destination;
    return reached == null ? super.getPort() : reached.getPort();
  }

  private URI current() throws Failed {
    try {
      return proxy.current();
    } catch (IOException unreadable) {
      throw Failed.unreachable("its URL cannot be read");
    }
  }

  private InetSocketAddress address(URI url) throws IOException {
    String host = url.getHost().replaceAll("[\\[\\]]", "");
    try {
      return new InetSocketAddress(InetAddress.ofLiteral(host), url.getPort());
    } catch (IllegalArgumentException _) {
      List<InetAddress> found = lookups.addresses(host);
      if (found.isEmpty()) {
        throw new IOException("no address");
      }
      return new InetSocketAddress(found.getFirst(), url.getPort());
    }
  }

  private static String request(InetSocketAddress destination, URI proxy) {
    String address = destination.getAddress().getHostAddress();
    String authority =
        (address.indexOf(':') < 0 ? address : "[" + address + "]") + ":" + destination.getPort();
    String user = proxy.getUserInfo();
    String credentials =
        user == null
            ? ""
            : "Proxy-Authorization: Basic "
                + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8))
                + "\r\n";
    return "CONNECT "
        + authority
        + " HTTP/1.1\r\nHost: "
        + authority
        + "\r\n"
        + credentials
        + "\r\n";
  }

  /** Byte by byte: what follows the head is the destination's. */
  private String head(long deadline) throws IOException {
    InputStream in = getInputStream();
    StringBuilder head = new StringBuilder();
    while (!isWhole(head)) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        throw new SocketTimeoutException("the proxy has not opened the tunnel in time");
      }
      setSoTimeout((int) left);
      int read = in.read();
      if (read < 0) {
        throw Failed.refused("it closed the connection");
      }
      if (head.length() == MAX_HEAD_BYTES) {
        throw Failed.refused("its response headers exceed 16 KiB");
      }
      head.append((char) read);
    }
    return head.toString();
  }

  private static boolean isWhole(StringBuilder head) {
    int length = head.length();
    return length > 1
        && head.charAt(length - 1) == '\n'
        && (head.charAt(length - 2) == '\n'
            || (length > 2 && head.charAt(length - 2) == '\r' && head.charAt(length - 3) == '\n'));
  }

  private static void requireTunnel(String head) throws Failed {
    Matcher status = STATUS.matcher(head.lines().findFirst().orElse(""));
    if (!status.matches()) {
      throw Failed.refused("its response is not HTTP/1.1");
    }
    if (!status.group(1).startsWith("2")) {
      throw Failed.refused(
          status.group(1).equals("407")
              ? "it refused the user or password (407)"
              : "it answered " + status.group(1));
    }
  }
}
