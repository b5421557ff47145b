package dev.ebb.worker.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The IPv4 addresses that an IPv6 address stands for, in every form that a router or a translator
 * on the way may read. A translator's prefix that a network chose itself (RFC 6052, 2.2) cannot be
 * told from other addresses.
 */
final class EmbeddedIpv4 {
  private static final List<Integer> LAST = List.of(12, 13, 14, 15);
  private static final List<Form> FORMS =
      List.of(
          form("::/96", LAST), // IPv4-compatible
          form("::ffff:0:0:0/96", LAST), // translated
          form("64:ff9b::/96", LAST), // NAT64
          form("64:ff9b:1::/48", List.of(6, 7, 9, 10)), // local NAT64 by a prefix of 48 bits,
          form("64:ff9b:1::/48", List.of(7, 9, 10, 11)), // 56,
          form("64:ff9b:1::/48", List.of(9, 10, 11, 12)), // 64
          form("64:ff9b:1::/48", LAST), // and 96
          form("2002::/16", List.of(2, 3, 4, 5)), // 6to4
          form("2001::/32", List.of(4, 5, 6, 7)), // Teredo's server
          new Form(Network.parse("2001::/32"), LAST, 0xff)); // Teredo's client

  /**
   * A way to write an IPv4 address into IPv6.
   *
   * @param network where it is used
   * @param at the bytes that hold the IPv4 address
   * @param inverted the bits that are written as their opposite
   */
  private record Form(Network network, List<Integer> at, int inverted) {}

  private EmbeddedIpv4() {}

  private static Form form(String network, List<Integer> at) {
    return new Form(Network.parse(network), at, 0);
  }

  /** None for an IPv4 address; Java makes one of an IPv4-mapped address. */
  static Stream<InetAddress> of(InetAddress address) {
    if (!(address instanceof Inet6Address)) {
      return Stream.of();
    }
    byte[] bytes = address.getAddress();
    Stream<InetAddress> found =
        FORMS.stream()
            .filter(form -> form.network.contains(address))
            .map(form -> ipv4(bytes, form.at, form.inverted));
    return isIsatap(bytes) ? Stream.concat(found, Stream.of(ipv4(bytes, LAST, 0))) : found;
  }

  /** Below any prefix: ::0:5efe:a.b.c.d, or ::200:5efe:a.b.c.d (RFC 5214, 6.1). */
  private static boolean isIsatap(byte[] bytes) {
    return (bytes[8] & 0xfc) == 0 && bytes[9] == 0 && bytes[10] == 0x5e && bytes[11] == (byte) 0xfe;
  }

  private static InetAddress ipv4(byte[] bytes, List<Integer> at, int inverted) {
    byte[] ipv4 = new byte[4];
    for (int i = 0; i < ipv4.length; i++) {
      ipv4[i] = (byte) (bytes[at.get(i)] ^ inverted);
    }
    try {
      return InetAddress.getByAddress(ipv4);
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
