package dev.ebb.worker.http;

import dev.ebb.core.InvalidInput;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The addresses and names that the operator lets deliveries reach beyond public addresses. */
final class AllowList {

  /** Names the setting in the errors, as the operator wrote it. */
  static final String SETTING = "EBB_DELIVERY_ALLOW";

  private static final Pattern ENTRY =
      Pattern.compile(
          "\\[(?<bracketed>[^\\[\\]]+)](?::(?<port>[0-9]{1,5}))?"
              + "|(?<ipv6>[^\\[\\]:]*:[^\\[\\]:]*:[^\\[\\]]*)"
              + "|(?<plain>[^\\[\\]:]+)(?::(?<plainPort>[0-9]{1,5}))?");
  private static final Pattern NAME =
      Pattern.compile("(?:[A-Za-z0-9-]+\\.)*[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?");
  private static final Pattern QUAD = Pattern.compile("(?:[0-9]{1,3}\\.){3}[0-9]{1,3}(?:/[0-9]+)?");

  private static final int MIN_BITS_IPV4 = 8;
  private static final int MIN_BITS_IPV6 = 16;

  private final List<Entry> entries;

  /** Exactly one of name and network is given; the port is -1 for any. */
  private record Entry(@Nullable String name, @Nullable Network network, int port) {
    boolean matches(String host, InetAddress address, int toPort) {
      boolean reaches = network != null ? network.contains(address) : host.equalsIgnoreCase(name);
      return reaches && (port == -1 || port == toPort);
    }
  }

  private AllowList(List<Entry> entries) {
    this.entries = entries;
  }

  /**
   * Reads entries separated by commas or spaces: an address, a network or a name, each with an
   * optional port, such as {@code 127.0.0.1:8090}, {@code 10.1.0.0/16}, {@code merchant.internal},
   * {@code fd12::/16}, {@code [fd12::7]:443}. A metadata service cannot be listed, nor a network
   * wider than /8 in IPv4 and /16 in IPv6.
   */
  static AllowList parse(String text) {
    return new AllowList(
        Stream.of(text.split("[,\\s]+"))
            .filter(entry -> !entry.isEmpty())
            .map(AllowList::entry)
            .toList());
  }

  boolean contains(String host, InetAddress address, int port) {
    return entries.stream().anyMatch(entry -> entry.matches(host, address, port));
  }

  /** The same, by an entry that names the port. */
  boolean containsWithPort(String host, InetAddress address, int port) {
    return entries.stream()
        .anyMatch(entry -> entry.port() == port && entry.matches(host, address, port));
  }

  /** Whether an entry can be this name. */
  static boolean isName(String host) {
    return NAME.matcher(host).matches();
  }

  /** Whether an entry is this name, with any port. */
  boolean names(String host) {
    return entries.stream().anyMatch(entry -> host.equalsIgnoreCase(entry.name()));
  }

  private static Entry entry(String text) {
    var parts = ENTRY.matcher(text);
    if (!parts.matches()) {
      throw broken(text, "is not an address, a network or a name with an optional port");
    }
    if (parts.group("plain") != null) {
      return entry(text, parts.group("plain"), parts.group("plainPort"));
    }
    if (parts.group("ipv6") != null) {
      requireNoPort(text);
      return new Entry(null, network(text, text), -1);
    }
    return new Entry(
        null, network(text, parts.group("bracketed")), port(text, parts.group("port")));
  }

  /** An address such as ::1:8090 is more likely meant as ::1 with a port. */
  private static void requireNoPort(String ipv6) {
    int colon = ipv6.lastIndexOf(':');
    String host = ipv6.substring(0, colon);
    String port = ipv6.substring(colon + 1);
    if (port.matches("[0-9]{1,5}") && isAddress(host)) {
      throw broken(
          ipv6,
          "could be an address or one with a port: write [%s]:%s".formatted(host, port)
              + " or [%s]".formatted(ipv6));
    }
  }

  private static boolean isAddress(String text) {
    try {
      return InetAddress.ofLiteral(text) != null;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static Entry entry(String text, String plain, @Nullable String port) {
    if (QUAD.matcher(plain).matches()) {
      return new Entry(null, network(text, plain), port(text, port));
    }
    if (!NAME.matcher(plain).matches()) {
      throw broken(text, "is not an address of four decimal numbers, a network or a name");
    }
    return new Entry(plain, null, port(text, port));
  }

  private static Network network(String text, String network) {
    Network parsed;
    try {
      parsed = Network.parse(network);
    } catch (IllegalArgumentException broken) {
      throw broken(text, "is not a network: " + broken.getMessage());
    }
    if (parsed.bits() < (parsed.prefix() instanceof Inet4Address ? MIN_BITS_IPV4 : MIN_BITS_IPV6)) {
      throw broken(text, "is too wide: a network has /8 or more in IPv4, /16 in IPv6");
    }
    if (SpecialNetworks.isMetadata(parsed)) {
      throw broken(text, "is link-local or a metadata service, which stays out of reach");
    }
    return parsed;
  }

  private static int port(String text, @Nullable String port) {
    int number = port == null ? -1 : Integer.parseInt(port);
    if (number == 0 || number > 65535) {
      throw broken(text, "has a port that is not in 1 to 65535");
    }
    return number;
  }

  private static InvalidInput broken(String entry, String rule) {
    return new InvalidInput(
        SETTING, "must list what deliveries may reach: '" + entry + "' " + rule);
  }
}
