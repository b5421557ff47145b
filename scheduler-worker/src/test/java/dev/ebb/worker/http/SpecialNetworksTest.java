package dev.ebb.worker.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpecialNetworksTest {

  /** IANA's IPv4 and IPv6 special-purpose address registries, and multicast beside them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0/8",
        "0.0.0.0/32",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.0.0/29",
        "192.0.0.8/32",
        "192.0.0.9/32",
        "192.0.0.10/32",
        "192.0.0.170/32",
        "192.0.0.171/32",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.88.99.2/32",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "255.255.255.255/32",
        "::1/128",
        "::/128",
        "::/96",
        "64:ff9b::/96",
        "64:ff9b:1::/48",
        "100::/64",
        "100:0:0:1::/64",
        "2001::/23",
        "2001::/32",
        "2001:1::1/128",
        "2001:1::2/128",
        "2001:1::3/128",
        "2001:2::/48",
        "2001:3::/32",
        "2001:4:112::/48",
        "2001:10::/28",
        "2001:20::/28",
        "2001:30::/28",
        "2001:db8::/32",
        "2002::/16",
        "2620:4f:8000::/48",
        "3fff::/20",
        "5f00::/16",
        "fc00::/7",
        "fe80::/10",
        "fec0::/10",
        "ff00::/8"
      })
  void no_address_of_a_special_purpose_block_is_public(String block) {
    Network network = Network.parse(block);

    assertThat(SpecialNetworks.isPublic(network.prefix())).isFalse();
    assertThat(SpecialNetworks.isPublic(last(network))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "192.31.195.255",
        "192.31.197.0",
        "192.52.192.255",
        "192.52.194.0",
        "192.175.47.255",
        "192.175.49.0",
        "2620:4f:7fff:ffff::1",
        "2620:4f:8001::1",
        "2a00::5eff:7f00:1"
      })
  void the_neighbours_of_a_block_are_public(String address) {
    assertThat(SpecialNetworks.isPublic(InetAddress.ofLiteral(address))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "::a9fe:a9fe,                 169.254.169.254",
    "::ffff:0:a9fe:a9fe,          169.254.169.254",
    "64:ff9b::a9fe:a9fe,          169.254.169.254",
    "64:ff9b:1:a9fe:a9:fe00::,    169.254.169.254",
    "64:ff9b:1:aba9:fe:a9fe::,    169.254.169.254",
    "64:ff9b:1:abab:a9:fea9:fe00:0, 169.254.169.254",
    "64:ff9b:1::a9fe:a9fe,        169.254.169.254",
    "2002:a9fe:a9fe::1,           169.254.169.254",
    "2001:0:a9fe:a9fe::1,         169.254.169.254",
    "2001:0:808:808:0:0:5601:5601, 169.254.169.254",
    "2a00::5efe:a9fe:a9fe,        169.254.169.254",
    "2a00::200:5efe:a9fe:a9fe,    169.254.169.254",
    "2a00::5efe:7f00:1,           127.0.0.1",
    "2a00::200:5efe:a00:1,        10.0.0.1"
  })
  void an_ipv6_address_is_no_better_than_an_ipv4_address_that_it_stands_for(
      String address, String ipv4) {
    InetAddress judged = InetAddress.ofLiteral(address);
    InetAddress inside = InetAddress.ofLiteral(ipv4);

    assertThat(EmbeddedIpv4.of(judged)).contains(inside);
    assertThat(SpecialNetworks.isPublic(judged)).isFalse();
    assertThat(SpecialNetworks.isMetadata(judged)).isEqualTo(SpecialNetworks.isMetadata(inside));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "169.254.169.254",
        "169.254.170.2",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
      })
  void metadata_services_are_known_in_every_form(String ipv4) throws UnknownHostException {
    String hex = HexFormat.of().formatHex(InetAddress.ofLiteral(ipv4).getAddress());
    String[] forms = {
      "0".repeat(24) + hex,
      "0".repeat(16) + "ffff0000" + hex,
      "0064ff9b" + "0".repeat(16) + hex,
      "0064ff9b0001" + hex.substring(0, 4) + "00" + hex.substring(4) + "0".repeat(10),
      "2002" + hex + "0".repeat(20),
      "20010000" + hex + "0".repeat(16),
      "20010db8" + "0".repeat(8) + "00005efe" + hex
    };

    for (String form : forms) {
      InetAddress address = InetAddress.getByAddress(HexFormat.of().parseHex(form));
      assertThat(address).isInstanceOf(Inet6Address.class);
      assertThat(SpecialNetworks.isMetadata(address)).as(form).isTrue();
    }
  }

  @Test
  void an_isatap_address_of_a_public_one_is_public() {
    assertThat(SpecialNetworks.isPublic(InetAddress.ofLiteral("2a00::5efe:808:808"))).isTrue();
  }

  private static InetAddress last(Network network) {
    byte[] bytes = network.prefix().getAddress();
    for (int bit = network.bits(); bit < bytes.length * Byte.SIZE; bit++) {
      bytes[bit / Byte.SIZE] |= (byte) (0x80 >> bit % Byte.SIZE);
    }
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
