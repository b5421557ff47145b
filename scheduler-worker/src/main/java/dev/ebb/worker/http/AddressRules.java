package dev.ebb.worker.http;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Decides which addresses deliveries may connect to: public ones, and those that the operator
 * listed; never a cloud's metadata service, and so nothing link-local in IPv4. Ports on which other
 * protocols are spoken must be listed themselves: a mail server takes commands from what it is sent
 * by HTTP.
 *
 * <p>For IPv4 the ranges of IANA's special-purpose registry are refused. For IPv6 only 2000::/3,
 * all that IANA has handed out, is public, less the special ranges in it: so unique-local,
 * link-local, site-local, multicast, NAT64, IPv4-compatible and segment-routing addresses are
 * refused without being listed, and what is invented later is, too. The flags of {@link
 * InetAddress} are no help: they know neither CGNAT nor unique-local nor transition addresses.
 */
final class AddressRules implements GuardedResolver.Guard {
  private static final List<Network> NOT_PUBLIC_IPV4 =
      networks(
          "0.0.0.0/8", // this network, unspecified
          "10.0.0.0/8", // private
          "100.64.0.0/10", // carrier-grade NAT
          "127.0.0.0/8", // loopback
          "168.63.129.16", // Azure's host
          "169.254.0.0/16", // link-local
          "172.16.0.0/12", // private
          "192.0.0.0/24", // IETF protocol assignments
          "192.0.2.0/24", // documentation
          "192.88.99.0/24", // 6to4 relays
          "192.168.0.0/16", // private
          "198.18.0.0/15", // benchmarking
          "198.51.100.0/24", // documentation
          "203.0.113.0/24", // documentation
          "224.0.0.0/4", // multicast
          "240.0.0.0/4"); // reserved, broadcast

  private static final Network PUBLIC_IPV6 = Network.parse("2000::/3");

  private static final List<Network> NOT_PUBLIC_IPV6 =
      networks(
          "2001::/23", // IETF protocol assignments: Teredo, benchmarking, ORCHID
          "2001:db8::/32", // documentation
          "2002::/16", // 6to4
          "3fff::/20"); // documentation

  /**
   * Services that hand out credentials to whoever asks from inside, also as NAT64, 6to4 and
   * IPv4-compatible. All of 169.254.0.0/16 counts: clouds spread such services over it.
   */
  private static final List<Network> METADATA =
      networks(
          "169.254.0.0/16", // AWS and its containers, Google, Azure, Tencent, …
          "fd00:ec2::/32", // AWS
          "fd20:ce::254", // Google
          "fd00:42::42", // Scaleway
          "fd00:c1::a9fe:a9fe", // Oracle
          "fe80::a9fe:a9fe", // OpenStack
          "100.100.100.200", // Alibaba
          "168.63.129.16", // Azure's host
          "192.0.0.192", // Oracle
          "::a9fe:0/112",
          "64:ff9b::a9fe:0/112",
          "64:ff9b::6464:64c8",
          "64:ff9b::a83f:8110",
          "64:ff9b::c000:c0",
          "2002:a9fe::/32",
          "2002:6464:64c8::/48",
          "2002:a83f:8110::/48",
          "2002:c000:c0::/48");

  /** The Fetch standard's bad ports (https://fetch.spec.whatwg.org/#port-blocking). */
  private static final Set<Integer> BAD_PORTS =
      Set.of(
          1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101,
          102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389,
          427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
          989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566,
          6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080);

  private final AllowList allowed;

  AddressRules(AllowList allowed) {
    this.allowed = allowed;
  }

  private static List<Network> networks(String... texts) {
    return Stream.of(texts).map(Network::parse).toList();
  }

  @Override
  public boolean names(String host) {
    return allowed.names(host);
  }

  @Override
  public boolean permits(String host, InetAddress address, int port) {
    if (isMetadata(address)) {
      return false;
    }
    return BAD_PORTS.contains(port)
        ? allowed.containsWithPort(host, address, port)
        : isPublic(address) || allowed.contains(host, address, port);
  }

  static boolean isPublic(InetAddress address) {
    if (address instanceof Inet4Address) {
      return NOT_PUBLIC_IPV4.stream().noneMatch(network -> network.contains(address));
    }
    return PUBLIC_IPV6.contains(address)
        && NOT_PUBLIC_IPV6.stream().noneMatch(network -> network.contains(address));
  }

  static boolean isMetadata(InetAddress address) {
    return METADATA.stream().anyMatch(network -> network.contains(address));
  }

  /** Whether every address of a network is out of reach whatever is allowed. */
  static boolean isMetadata(Network network) {
    return METADATA.stream().anyMatch(metadata -> metadata.contains(network));
  }
}
