package dev.ebb.db.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.http.Destination;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.core.signing.SigningScheme;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The digits that tell one version of a destination from another. */
class DestinationVersionTest {
  private static final String ACME =
      """
      {"url":"https://acme.example/notify?token=one","headers":{"X-Shop":"7","Authorization":"one"},
       "success":"alipay","timeout":"PT5S","labels":{"merchant":"acme","tier":"gold"}}
      """;

  private static String version(String json) {
    return Objects.requireNonNull(DestinationJson.version(json));
  }

  @Test
  void it_is_that_of_what_is_stored_in_whatever_order() {
    Destination stored = Objects.requireNonNull(DestinationJson.stored(ACME));
    String turned =
        """
        {"labels":{"tier":"gold","merchant":"acme"},"timeout":"PT5S","success":"alipay",
         "headers":{"Authorization":"one","X-Shop":"7"},"url":"https://acme.example/notify?token=one"}
        """;

    assertThat(version(ACME))
        .matches("[0-9a-f]{12}")
        .isEqualTo(DestinationJson.version(stored))
        .isEqualTo(version(turned))
        .isEqualTo(version(DestinationJson.write(stored).toString()));
    assertThat(DestinationJson.version((String) null)).isNull();
    assertThat(DestinationJson.version("{\"url\":7}")).isNull();
  }

  @Test
  void nobody_can_try_guesses_of_a_secret_on_it() {
    assertThat(version(ACME.replace("one", "two"))).isEqualTo(version(ACME));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/notify", "X-Shop", "alipay", "PT5S", "gold"})
  void it_changes_with_what_a_delivery_depends_on(String part) {
    String other = part.equals("alipay") ? "wechat-v3" : part.equals("PT5S") ? "PT6S" : part + "2";

    assertThat(version(ACME.replace(part, other))).isNotEqualTo(version(ACME));
  }

  @Test
  void it_changes_with_a_key() {
    Destination stored = Objects.requireNonNull(DestinationJson.stored(ACME));
    SigningKey key = new SigningKey("key_1", SigningScheme.V1, "sealed", null, Instant.EPOCH, null);

    assertThat(DestinationJson.version(stored.with(List.of(key)))).isNotEqualTo(version(ACME));
  }
}
