package dev.ebb.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.CpuTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MaskingTest {

  @ParameterizedTest
  @ValueSource(strings = {"?", "&", ";", "?a", "?a=", "?token", "?token=", "//", "//a", "//@", "%"})
  void masking_takes_time_linear_in_the_length(String repeated) {
    String text = repeated.repeat(480_000 / repeated.length());

    // Quadratic, each of these takes more than a minute.
    assertThat(CpuTime.of(() -> Masking.url(text))).isLessThan(Duration.ofSeconds(5));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Functions-Key", "Ocp-Apim-Subscription-Key", "X-Webhook-Key", "X-Jwt", "X-Api-Key",
        "x_webhook_key", "Key", "Authorization", "Client-Assertion", "functionsKey",
        "X-Shopify-Hmac-Sha256", "HMAC"
      })
  void headers_named_after_secrets_are_hidden(String name) {
    assertThat(Masking.header(name, "hush")).isEqualTo("***");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Idempotency-Key",
        "X-Idempotency-Key",
        "idempotencyKey",
        "webhook-id",
        "X-Monkey",
        "X-Error-Code",
        "content-encoding"
      })
  void headers_by_which_people_find_things_are_kept(String name) {
    assertThat(Masking.header(name, "seen")).isEqualTo("seen");
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://bob:hush@m.example/", "https://bob:hu@sh@m.example/"})
  void user_informations_are_hidden_up_to_their_last_at(String url) {
    assertThat(Masking.header("X-Callback", url)).isEqualTo("https://***@m.example/");
  }

  @ParameterizedTest
  @CsvSource({
    "?code=hush&state=1, ?code=***&state=1",
    "?jwt=hush, ?jwt=***",
    "?hmac=hush&shop=a, ?hmac=***&shop=a",
    "?client_assertion=hush#a, ?client_assertion=***#a",
    "?Token=a?b&c=d, ?Token=***&c=d",
    "?a?token=hush, ?a?token=***",
    "?next=https://b.example/?token=hush&a=1, ?next=https://b.example/?token=***&a=1",
    "?countrycode=cn&idempotency_key=7, ?countrycode=cn&idempotency_key=7"
  })
  void parameters_named_after_secrets_are_hidden(String query, String masked) {
    assertThat(Masking.url("https://m.example/" + query)).isEqualTo("https://m.example/" + masked);
  }

  @Test
  void a_user_information_whose_end_is_dropped_is_hidden() {
    String value = "https://u:" + "hush".repeat(400) + "@m.example/";

    assertThat(Masking.header("location", value)).isEqualTo("https://***@");
  }
}
