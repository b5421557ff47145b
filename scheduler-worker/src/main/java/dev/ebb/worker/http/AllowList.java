package dev.ebb.worker.http;

import dev.ebb.core.InvalidInput;
import java.net.InetAddress;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the operator lets deliveries reach beyond public addresses. */
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
   * {@code fd12::/16}, {@code [fd12::7]:443}.
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

  private static Entry entry(String text) {
    var parts = ENTRY.matcher(text);
    if (!parts.matches()) {
      throw broken(text, "is not an address, a network or a name with an optional port");
    }
    if (parts.group("plain") != null) {
      return entry(text, parts.group("plain"), parts.group("plainPort"));
    }
    String ipv6 = parts.group("ipv6") != null ? parts.group("ipv6") : parts.group("bracketed");
    return new Entry(null, network(text, ipv6), port(text, parts.group("port")));
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
    boolean single = parsed.bits() == parsed.prefix().getAddress().length * Byte.SIZE;
    if (single && AddressRules.isMetadata(parsed.prefix())) {
      throw broken(text, "is a metadata service, which stays out of reach");
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
