package dev.ebb.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class SharesTest {
  private static final InetAddress ONE = InetAddress.ofLiteral("192.0.2.1");
  private static final InetAddress OTHER = InetAddress.ofLiteral("192.0.2.2");
  private static final InetAddress THIRD = InetAddress.ofLiteral("192.0.2.3");

  private final Shares shares = new Shares(100);

  @Test
  void one_sender_takes_at_most_half() {
    assertThat(shares.take(ONE, 30)).isTrue();
    assertThat(shares.take(ONE, 21)).isFalse();
    assertThat(shares.take(ONE, 20)).isTrue();
    assertThat(shares.take(ONE, 1)).isFalse();
    assertThat(shares.take(OTHER, 50)).isTrue();
    assertThat(shares.taken()).isEqualTo(100);
  }

  @Test
  void all_together_take_no_more_than_there_is() {
    assertThat(shares.take(ONE, 50)).isTrue();
    assertThat(shares.take(OTHER, 49)).isTrue();

    assertThat(shares.take(THIRD, 2)).isFalse();
    assertThat(shares.take(THIRD, 1)).isTrue();
  }

  @Test
  void what_is_given_back_can_be_taken_again_and_leaves_no_trace() {
    assertThat(shares.take(ONE, 50)).isTrue();
    shares.giveBack(ONE, 20);
    assertThat(shares.take(ONE, 21)).isFalse();
    assertThat(shares.take(ONE, 20)).isTrue();

    shares.giveBack(ONE, 50);

    assertThat(shares.taken()).isZero();
    assertThat(shares.senders()).isZero();
  }

  @Test
  void addresses_of_one_ipv6_network_are_one_sender() {
    assertThat(shares.take(InetAddress.ofLiteral("2001:db8:0:1::1"), 50)).isTrue();

    assertThat(shares.take(InetAddress.ofLiteral("2001:db8:0:1:ffff::2"), 1)).isFalse();
    assertThat(shares.take(InetAddress.ofLiteral("2001:db8:0:2::1"), 1)).isTrue();
  }
}
