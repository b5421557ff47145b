package dev.ebb.ui.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.Attempt;
import dev.ebb.ui.json.Delivery.Fact;
import dev.ebb.ui.json.Delivery.Part;
import dev.ebb.ui.json.Delivery.Step;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DeliveryTest {
  private static Delivery read(String members) {
    String detail = "{\"request\":{\"method\":\"POST\",\"url\":\"u\"}," + members + "}";
    Attempt attempt =
        new Attempt(1, "n", null, null, Instant.EPOCH, null, null, null, null, detail);
    return Objects.requireNonNull(Delivery.of(attempt));
  }

  @Test
  void the_parts_are_what_lies_between_the_times() {
    Delivery made =
        read("\"millis\":{\"lookup\":2,\"tcp\":13,\"connect\":37,\"head\":347,\"total\":350}");

    assertThat(made.parts())
        .containsExactly(
            new Part(Step.LOOKUP, 2),
            new Part(Step.CONNECT, 11),
            new Part(Step.TLS, 24),
            new Part(Step.FIRST_BYTE, 310),
            new Part(Step.BODY, 3));
    assertThat(made.proof()).isEmpty();
  }

  @Test
  void a_kept_connection_has_no_time_to_connect() {
    Delivery made =
        read(
            """
            "destination":{"name":"acme","version":"0123456789ab"},
            "connection":{"address":"203.0.113.7:443","kept":true,
              "tls":{"version":"TLSv1.2","subject":"CN=m","sha256":"0a"}},
            "millis":{"connect":1,"head":9,"total":10},"rule":"success rule alipay"
            """);

    assertThat(made.parts()).containsExactly(new Part(Step.FIRST_BYTE, 9), new Part(Step.BODY, 1));
    assertThat(made.proof())
        .containsExactly(
            new Fact("Destination", "acme, version 0123456789ab"),
            new Fact(
                "Connected to", "203.0.113.7:443, by a connection kept from an earlier delivery"),
            new Fact("TLS", "TLSv1.2, CN=m"),
            new Fact("Certificate, SHA-256", "0a"),
            new Fact("Decided by", "success rule alipay"));
  }
}
