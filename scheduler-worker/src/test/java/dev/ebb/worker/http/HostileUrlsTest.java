package dev.ebb.worker.http;

import static dev.ebb.worker.http.HostileDeliveries.MERCHANT;
import static dev.ebb.worker.http.HostileDeliveries.REBINDING;
import static dev.ebb.worker.http.HostileDeliveries.REBINDINGS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Vital;
import dev.ebb.worker.http.HostileDeliveries.Guarding;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The guard, judged by the packets that the kernel counts. */
@Vital
class HostileUrlsTest {
  private static final List<String> IPV4 =
      List.of(
          "0.0.0.0/8",
          "10.0.0.0/8",
          "100.64.0.0/10",
          "100.100.100.200",
          "127.0.0.0/8",
          "168.63.129.16",
          "169.254.0.0/16",
          "172.16.0.0/12",
          "192.0.0.0/24",
          "192.0.2.0/24",
          "192.31.196.0/24",
          "192.52.193.0/24",
          "192.88.99.0/24",
          "192.168.0.0/16",
          "192.175.48.0/24",
          "198.18.0.0/15",
          "198.51.100.0/24",
          "203.0.113.0/24",
          "224.0.0.0/4",
          "240.0.0.0/4",
          "255.255.255.255");

  private static final List<String> IPV6 =
      List.of(
          "::/96",
          "::1",
          "::ffff:0:0:0/96",
          "64:ff9b::/96",
          "64:ff9b:1::/48",
          "100::/64",
          "100:0:0:1::/64",
          "2001::/23",
          "2001::/32",
          "2001:2::/48",
          "2001:10::/28",
          "2001:20::/28",
          "2001:30::/28",
          "2001:db8::/32",
          "2002::/16",
          "2620:4f:8000::/48",
          "2a00::5efe:0:0/96",
          "2a00::200:5efe:0:0/96",
          "3fff::/20",
          "4000::/2",
          "8000::/2",
          "fc00::/7",
          "fe80::/10",
          "fec0::/10",
          "ff00::/8");

  /** To these the kernel itself opens no TCP connection: link-local addresses lack an interface. */
  private static final Set<String> CLOSED_TO_TCP =
      Set.of("224.0.0.0/4", "255.255.255.255", "fe80::/10", "ff00::/8");

  @Test
  void no_packet_leaves_for_a_forbidden_network() throws Exception {
    PacketCount guarded = delivered(Guarding.RULES);
    Set<String> hostileUrls = hostileUrls();

    assertThat(guarded.byNetwork()).allSatisfy((_, packets) -> assertThat(packets).isZero());
    assertThat(guarded.toOtherPorts()).isZero();
    assertThat(HostileDeliveries.urls()).hasSizeGreaterThanOrEqualTo(200);
    assertThat(guarded.printed())
        .filteredOn(line -> hostileUrls.contains(line.split(" ", 2)[1]))
        .hasSameSizeAs(HostileDeliveries.urls())
        .allMatch(line -> line.matches("(?:unreadable_payload|address_refused) .*"));
    assertThat(guarded.printed()).contains("completed " + MERCHANT);
    assertThat(told(guarded, REBINDING))
        .isEqualTo(Map.of("address_refused", REBINDINGS / 2, "completed", REBINDINGS / 2));
  }

  @Test
  void control_without_the_guard_every_forbidden_network_is_reached() throws Exception {
    PacketCount open = delivered(Guarding.NOTHING);

    assertThat(open.byNetwork())
        .allSatisfy((network, packets) ->
            assertThat(packets > 0).as(network).isNotEqualTo(CLOSED_TO_TCP.contains(network)));
    assertThat(open.toOtherPorts()).isPositive();
    assertThat(told(open, REBINDING)).isEqualTo(Map.of("completed", REBINDINGS));
  }

  @Test
  void control_a_guard_that_looks_the_name_up_for_itself_lets_a_rebinding_name_through()
      throws Exception {
    PacketCount deceived = delivered(Guarding.OWN_LOOKUP);

    assertThat(deceived.byNetwork().get("10.0.0.0/8")).isPositive();
    assertThat(told(deceived, REBINDING)).isEqualTo(Map.of("completed", REBINDINGS));
  }

  private static PacketCount delivered(Guarding guarding) throws Exception {
    return PacketCount.of(IPV4, IPV6, HostileDeliveries.class, guarding.name());
  }

  private static Set<String> hostileUrls() throws Exception {
    return HostileDeliveries.urls().stream()
        .map(HostileDeliveries.Hostile::url)
        .collect(Collectors.toSet());
  }

  /** How often each word was said of a URL. */
  private static Map<String, Long> told(PacketCount count, String url) {
    return count.printed().stream()
        .filter(line -> line.endsWith(" " + url))
        .collect(Collectors.groupingBy(line -> line.split(" ", 2)[0], Collectors.counting()));
  }
}
