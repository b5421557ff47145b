package dev.ebb.worker.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.core.InvalidInput;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRulesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.0",
        "10.255.255.255",
        "100.64.0.0",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.255",
        "168.63.129.16",
        "169.254.0.1",
        "169.254.169.254",
        "172.16.0.0",
        "172.31.255.255",
        "192.0.0.0",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.0",
        "192.168.255.255",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.255",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "100.100.100.200",
        "::",
        "::1",
        "::127.0.0.1",
        "::a00:1",
        "::ffff:0:7f00:1",
        "64:ff9b::7f00:1",
        "64:ff9b::5db8:d822",
        "64:ff9b:1::1",
        "64:ff9b:1:ffff::1",
        "100::1",
        "2001::1",
        "2001:0:7f00:1::1",
        "2001:2::1",
        "2001:10::1",
        "2001:20::1",
        "2001:1ff:ffff::1",
        "2001:db8::1",
        "2002::1",
        "2002:7f00:1::1",
        "2002:a9fe:a9fe::1",
        "2002:5db8:d822::1",
        "3fff::1",
        "3fff:fff:ffff::1",
        "4000::1",
        "5f00::1",
        "8000::1",
        "fc00::1",
        "fd00:ec2::254",
        "fd20:ce::254",
        "fdff::1",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "feff::1",
        "ff02::1",
        "ffff::1"
      })
  void what_is_not_public_is_refused(String address) {
    assertThat(permits("", address, 443)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "93.184.216.34",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "168.63.129.15",
        "2000::1",
        "2001:200::1",
        "2001:4860:4860::8888",
        "2001:db7:ffff::1",
        "2001:db9::1",
        "2003::1",
        "2606:4700::1111",
        "3ffe:ffff::1",
        "3fff:1000::1"
      })
  void what_is_public_is_permitted_up_to_the_edge(String address) {
    assertThat(permits("", address, 443)).isTrue();
  }

  @Test
  void an_ipv4_mapped_address_is_judged_as_the_ipv4_address_that_it_is() throws Exception {
    byte[] mapped = HexFormat.of().parseHex("00000000000000000000ffff7f000001");

    assertThat(rules("").permits("m.example", InetAddress.getByAddress(mapped), 80)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:8090,            127.0.0.1,    8090, true",
    "127.0.0.1:8090,            127.0.0.1,    8091, false",
    "127.0.0.1:8090,            127.0.0.2,    8090, false",
    "10.1.0.0/16,               10.1.255.255, 2,    true",
    "10.1.0.0/16,               10.2.0.0,     2,    false",
    "10.1.0.0/16:80,            10.1.0.1,     443,  false",
    "192.0.0.0/8,               192.168.0.1,  80,   true",
    "0.0.0.0/8,                 ::1,          80,   false",
    "fe80::/16,                 fe80::1,      80,   true",
    "fd12::/16,                 fd12::1,      80,   true",
    "fd12::/16,                 fd13::1,      80,   false",
    "[fd12::7]:443,             fd12::7,      443,  true",
    "[fd12::7]:443,             fd12::7,      80,   false",
    "[fd12::/16]:443,           fd12::9,      443,  true",
    "[::1],                     ::1,          443,  true",
    "::1,                       ::1,          443,  true",
    "fd12::7,                   fd12::7,      443,  true",
    "fd12::7:ab,                fd12::7:ab,   443,  true",
    "fd12:0:0:0:0:0:0:7,        fd12::7,      443,  true",
    "[::1]:8090,                ::1,          8090, true",
    "[::1:8090],                ::1:8090,     2,    true",
    "merchant.internal,         10.0.0.1,     80,   true",
    "MERCHANT.internal,         10.0.0.1,     80,   true",
    "merchant.internal:81,      10.0.0.1,     80,   false",
    "other.internal,            10.0.0.1,     80,   false",
    "internal,                  10.0.0.1,     80,   false",
    "'10.9.0.0/16 10.0.0.0/30', 10.0.0.1,     80,   true",
    "' , ',                     10.0.0.1,     80,   false"
  })
  void the_operator_can_allow_networks_and_names(
      String allow, String address, int port, boolean permitted) {
    assertThat(permits(allow, address, port)).isEqualTo(permitted);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "169.254.169.254",
        "169.254.170.2",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "fd00:ec2::254",
        "fd20:ce::254",
        "64:ff9b::a9fe:a9fe",
        "2002:a9fe:a9fe::1",
        "169.254.0.23",
        "169.254.169.253",
        "169.254.255.255",
        "64:ff9b::a9fe:aa02",
        "2002:a9fe:aa02::1",
        "::a9fe:a9fe",
        "fe80::a9fe:a9fe",
        "fd00:42::42",
        "fd00:c1::a9fe:a9fe"
      })
  void metadata_services_stay_out_of_reach_whatever_is_allowed(String address) {
    String network =
        address.contains(".")
            ? address.replaceFirst("\\..*", ".0.0.0/8")
            : address.replaceFirst(":.*", "::/16");

    assertThat(AllowList.parse(network).contains("", InetAddress.ofLiteral(address), 80)).isTrue();
    assertThat(permits(network + ", merchant.internal", address, 80)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.1/8",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/",
        "10.0.0/8",
        "2130706433",
        "127.1",
        "0x7f.1",
        "300.1.1.1",
        "127.0.0.1:0",
        "127.0.0.1:65536",
        "127.0.0.1:x",
        "[::1",
        "::1]",
        "fd12::1/16",
        "::/129",
        "a_b",
        "-a",
        "http://merchant.internal",
        "*.internal",
        "a:b:c",
        "169.254.169.254",
        "fd00:ec2::254",
        "a/b",
        "169.254.0.0/16",
        "169.254.7.0/24",
        "169.254.1.1:80",
        "::1:8090",
        "fd12::7:443",
        "fd12::1:2:3",
        "0.0.0.0/0",
        "0.0.0.0/7",
        "::/0",
        "fc00::/15",
        "[::/0]:443"
      })
  void a_wrong_entry_is_named_with_its_setting(String allow) {
    InvalidInput broken =
        catchThrowableOfType(
            InvalidInput.class,
            () -> HttpHandlerConfig.defaults().withAllow("10.0.0.0/8 " + allow));

    assertThat(broken).isNotNull();
    assertThat(broken.field()).isEqualTo("EBB_DELIVERY_ALLOW");
    assertThat(broken.rule()).contains("'" + allow + "'");
  }

  @Test
  void a_network_that_is_too_wide_is_answered_with_how_wide_it_may_be() {
    assertThat(catchThrowableOfType(InvalidInput.class, () -> AllowList.parse("0.0.0.0/0")).rule())
        .endsWith("'0.0.0.0/0' is too wide: a network has /8 or more in IPv4, /16 in IPv6");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        1, 22, 25, 110, 143, 445, 587, 1433, 1521, 2049, 2375, 2379, 3306, 5432, 5984, 6000, 6379,
        6667, 9042, 9200, 10080, 10250, 11211, 27017
      })
  void a_port_of_another_service_is_refused_unless_listed(int port) {
    assertThat(permits("", "93.184.216.34", port)).isFalse();
    assertThat(permits("93.0.0.0/8, merchant.internal", "93.184.216.34", port)).isFalse();
    assertThat(permits("93.184.216.34:" + (port + 1), "93.184.216.34", port)).isFalse();
    assertThat(permits("93.184.216.34:" + port, "93.184.216.34", port)).isTrue();
    assertThat(permits("93.0.0.0/8:" + port, "93.184.216.34", port)).isTrue();
    assertThat(permits("merchant.internal:" + port, "10.0.0.1", port)).isTrue();
    assertThat(permits("169.0.0.0/8:" + port, "169.254.169.254", port)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 80, 443, 3000, 5000, 8080, 8090, 8443, 10081, 65535})
  void other_ports_are_not(int port) {
    assertThat(permits("", "93.184.216.34", port)).isTrue();
  }

  @Test
  void an_address_that_may_hold_a_port_is_answered_with_how_to_write_either() {
    assertThat(catchThrowableOfType(InvalidInput.class, () -> AllowList.parse("::1:8090")).rule())
        .contains("write [::1]:8090 or [::1:8090]");
  }

  private static boolean permits(String allow, String address, int port) {
    try {
      return rules(allow).permits("merchant.internal", InetAddress.getByName(address), port);
    } catch (UnknownHostException broken) {
      throw new AssertionError(broken);
    }
  }

  private static AddressRules rules(String allow) {
    return new AddressRules(AllowList.parse(allow));
  }
}
