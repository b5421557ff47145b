package dev.ebb.core.http;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the text of a URL that Ebb may be asked to call, made so that every reader of the
 * text sees the same host in it.
 *
 * <p>Absolute, {@code http} or {@code https}, ASCII, at most {@value #MAX_LENGTH} characters; no
 * user information, no fragment; a port is 1 to 65535 without leading zeros. The host is a DNS name
 * without a trailing dot, an IPv4 address of four plain decimal numbers, or an IPv6 address in
 * brackets that does not stand for an IPv4 address. Names that end in a number are what some
 * resolvers take for an IPv4 address ({@code 2130706433}, {@code 127.1}, {@code 0x7f.1}) and are
 * refused, after the WHATWG URL standard's "ends in a number" check.
 */
public final class HttpUrl {
  public static final int MAX_LENGTH = 2048;

  private static final String FIELD = "url";
  private static final Pattern NUMBER = Pattern.compile("[0-9]+|0[xX][0-9a-fA-F]*");
  private static final String LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
  private static final Pattern NAME = Pattern.compile(LABEL + "(?:\\." + LABEL + ")*");
  private static final int MAX_NAME = 253;

  private HttpUrl() {}

  /** Reads a URL; throws {@link InvalidInput} that names the field {@code url}. */
  public static URI parse(String text) {
    require(text.length() <= MAX_LENGTH, FIELD, "must be at most " + MAX_LENGTH + " characters");
    require(
        text.chars().allMatch(c -> c > ' ' && c < 0x7f),
        FIELD,
        "must be visible ASCII: percent-encode the path and write the host in its xn-- form");
    URI url = syntax(text);
    String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    require(
        scheme.equals("http") || scheme.equals("https"), FIELD, "must start with http or https");
    require(url.getRawFragment() == null, FIELD, "must not have a fragment");
    requireAuthority(url);
    return url;
  }

  /** The host of such a URL in lower case, with its port unless that is the scheme's own. */
  public static String destination(URI url) {
    String host = url.getHost().toLowerCase(Locale.ROOT);
    int own = url.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    return url.getPort() == -1 || url.getPort() == own ? host : host + ":" + url.getPort();
  }

  /** The scheme, host and port of such a URL, as they are written in it. */
  public static String origin(URI url) {
    return url.getScheme() + "://" + url.getRawAuthority();
  }

  private static URI syntax(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException _) {
      throw new InvalidInput(FIELD, "must be a URL as in RFC 3986");
    }
  }

  private static void requireAuthority(URI url) {
    String authority = url.getRawAuthority() == null ? "" : url.getRawAuthority();
    require(!authority.isEmpty(), FIELD, "must have a host");
    require(authority.indexOf('@') < 0, FIELD, "must not have user information");
    String host = url.getHost();
    if (host == null) {
      throw new InvalidInput(FIELD, "must have a host that is a DNS name or a plain IP address");
    }
    int port = url.getPort();
    require(
        authority.equals(port == -1 ? host : host + ":" + port) && port != 0 && port <= 65535,
        FIELD,
        "must have a port from 1 to 65535, or none");
    requireHost(host);
  }

  private static void requireHost(String host) {
    if (host.startsWith("[")) {
      require(isPlainIpv6(host), FIELD, "must not hold an IPv4-mapped or scoped IPv6 address");
    } else if (NUMBER.matcher(host.substring(host.lastIndexOf('.') + 1)).matches()) {
      require(isPlainIpv4(host), FIELD, "must write an IPv4 address as four decimal numbers");
    } else {
      require(
          host.length() <= MAX_NAME,
          FIELD,
          "must have a host of at most " + MAX_NAME + " characters");
      require(NAME.matcher(host).matches(), FIELD, "must have a host that is a DNS name");
    }
  }

  /** Java takes more spellings of an address than one. */
  private static boolean isPlainIpv4(String host) {
    InetAddress address = literal(host);
    return address != null && address.getHostAddress().equals(host);
  }

  /** Java turns a mapped address into the IPv4 address that it stands for. */
  private static boolean isPlainIpv6(String host) {
    return host.indexOf('%') < 0
        && literal(host.substring(1, host.length() - 1)) instanceof Inet6Address;
  }

  private static @Nullable InetAddress literal(String text) {
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException _) {
      return null;
    }
  }
}
