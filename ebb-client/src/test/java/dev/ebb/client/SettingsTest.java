package dev.ebb.client;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wrong setting is refused where it is given, and not by a request or at the end. */
class SettingsTest {
  private static EbbHttp.Builder http() {
    return EbbHttp.at(URI.create("http://ebb:8080"));
  }

  private static EbbWorker.Builder worker() {
    return http().build().worker("billing");
  }

  private static void assertRefused(ThrowingCallable setting) {
    assertThatThrownBy(setting).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ebb:8080", "/v1", "ftp://ebb", "http:///v1", "http://ebb_1:8080"})
  void a_server_has_an_address_of_http(String address) {
    assertRefused(() -> EbbHttp.at(URI.create(address)));
  }

  @Test
  void times_have_their_ranges() {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    assertRefused(() -> http().timeout(Duration.ZERO));
    assertRefused(() -> http().timeout(forever));
    assertRefused(() -> http().patience(forever));
    assertRefused(() -> http().patience(Duration.ofNanos(-1)));
    assertRefused(() -> worker().grace(forever));
    assertRefused(() -> worker().grace(Duration.ofNanos(-1)));
    assertRefused(() -> worker().lease(Duration.ofSeconds(4)));
    assertRefused(() -> worker().longestWait(Duration.ofSeconds(31)));
    assertThatCode(() -> worker().grace(Duration.ofDays(1))).doesNotThrowAnyException();
  }

  @Test
  void a_token_that_no_header_can_carry_is_refused_and_not_shown() {
    assertThatThrownBy(() -> http().token("secret\nword"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("secret");
    assertThatCode(() -> http().token(" secret\n")).doesNotThrowAnyException();
  }

  @Test
  void a_worker_has_queues_by_their_rule() {
    assertRefused(worker()::queues);
    assertRefused(() -> worker().queues("Bad"));
    assertRefused(() -> worker().slots(0));
  }
}
