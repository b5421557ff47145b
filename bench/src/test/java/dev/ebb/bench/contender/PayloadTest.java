package dev.ebb.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 199_999, Integer.MAX_VALUE})
  void a_payload_has_200_bytes_and_carries_its_number(int number) {
    String payload = Payload.of(number);

    assertThat(payload.getBytes(StandardCharsets.UTF_8)).hasSize(200);
    assertThat(Payload.number(payload)).isEqualTo(number);
  }
}
