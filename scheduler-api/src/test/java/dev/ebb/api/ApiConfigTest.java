package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.access.AccessConfig;
import dev.ebb.core.InvalidInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiConfigTest {
  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1", "no.such.name.invalid"})
  void an_api_that_others_may_reach_asks_for_tokens(String host) {
    ApiConfig closed = ApiConfig.of(host, 0);

    assertThatThrownBy(() -> closed.withAccess(AccessConfig.openToAll()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("access");
  }

  @Test
  void on_loopback_an_api_may_be_open() {
    for (String host : new String[] {"127.0.0.1", "::1", "localhost"}) {
      assertThat(ApiConfig.of(host, 0).withAccess(AccessConfig.openToAll()).access().open())
          .isTrue();
    }
  }
}
