package dev.ebb.worker.http;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which networks are not public, and in which of them metadata services answer.
 *
 * <p>For IPv4 the ranges of IANA's special-purpose registry are not public, those included that are
 * reachable everywhere: no merchant lives there. For IPv6 only 2000::/3, all that IANA has handed
 * out, is public, less the special ranges in it. So unique-local, link-local, site-local,
 * multicast, NAT64, IPv4-compatible and segment-routing addresses need no list, and neither do
 * later inventions. An IPv6 address is no better than any IPv4 address that it stands for. The
 * flags of {@link InetAddress} are no help: they know neither CGNAT nor unique-local nor transition
 * addresses.
 */
final class SpecialNetworks {
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
          "192.31.196.0/24", // AS112
          "192.52.193.0/24", // automatic multicast tunnels
          "192.88.99.0/24", // 6to4 relays
          "192.168.0.0/16", // private
          "192.175.48.0/24", // AS112
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
          "2620:4f:8000::/48", // AS112
          "3fff::/20"); // documentation

  /**
   * Services that hand out credentials to anybody who asks from inside. All of 169.254.0.0/16
   * counts: clouds spread such services over it.
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
          "192.0.0.192"); // Oracle

  private SpecialNetworks() {}

  private static List<Network> networks(String... texts) {
    return Stream.of(texts).map(Network::parse).toList();
  }

  static boolean isPublic(InetAddress address) {
    if (address instanceof Inet4Address) {
      return NOT_PUBLIC_IPV4.stream().noneMatch(network -> network.contains(address));
    }
    return PUBLIC_IPV6.contains(address)
        && NOT_PUBLIC_IPV6.stream().noneMatch(network -> network.contains(address))
        && EmbeddedIpv4.of(address).allMatch(SpecialNetworks::isPublic);
  }

  static boolean isMetadata(InetAddress address) {
    return METADATA.stream().anyMatch(network -> network.contains(address))
        || EmbeddedIpv4.of(address).anyMatch(SpecialNetworks::isMetadata);
  }

  /** Whether every address of a network is out of reach whatever is allowed. */
  static boolean isMetadata(Network network) {
    return METADATA.stream().anyMatch(metadata -> metadata.contains(network))
        || (network.isOne() && isMetadata(network.prefix()));
  }
}
