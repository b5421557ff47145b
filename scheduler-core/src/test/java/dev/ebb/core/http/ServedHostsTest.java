package dev.ebb.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.Broken;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServedHostsTest {
  private final ServedHosts hosts = ServedHosts.of("ebb.internal", List.of("api", "Jobs.Example"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "10.1.2.3:8080",
        "[::1]",
        "[fe80::1]:80",
        "[::ffff:127.0.0.1]:1",
        "localhost",
        "LocalHost:9",
        "ebb.internal:8080",
        "EBB.internal",
        "api",
        "api:8080",
        "jobs.example:",
        ""
      })
  void an_address_localhost_and_the_names_given_are_served_with_any_port(String host) {
    assertThat(hosts.serves(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:8080",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "api.evil.example",
        "xapi",
        "1.2.3",
        "0x7f000001",
        "127.0.0.1:80:80",
        "[evil.example]",
        "[::1]evil.example",
        "::1",
        "evil.example@127.0.0.1",
        "127.0.0.1 evil.example",
        "."
      })
  void any_other_name_is_not(String host) {
    assertThat(hosts.serves(host)).isFalse();
  }

  @Test
  void a_request_that_names_no_host_comes_from_no_browser() {
    assertThat(hosts.serves(null)).isTrue();
  }

  @Test
  void the_host_that_is_listened_on_may_be_an_address() {
    assertThat(ServedHosts.of("0.0.0.0", List.of()).serves("0.0.0.0:8080")).isTrue();
    assertThat(ServedHosts.of("::", List.of()).serves("evil.example")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "api:8080", "*.example", "http://api", "-a", "a..b", "a/b"})
  void a_name_that_is_none_is_refused(String name) {
    Broken.refuses("names", () -> ServedHosts.of("127.0.0.1", List.of("api", name)));
  }
}
