package dev.ebb.core.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeliveryRequestTest {
  private static final SuccessRule ALIPAY = SuccessRule.preset("alipay");
  private static final List<ResponseClass> CLASSES =
      List.of(
          new ResponseClass(
              StatusSet.of("400"), null, ResponseClass.Effect.PERMANENT, "order_unknown"));
  private static final Destination ACME =
      new Destination(
          URI.create("https://acme.example/notify"),
          "PUT",
          Map.of("Authorization", "Bearer acme", "X-Shop", "7"),
          new ResponseRules(ALIPAY, CLASSES),
          null,
          Map.of());

  private static DeliveryRequest request(@Nullable String url, Map<String, String> headers) {
    return new DeliveryRequest(
        url == null ? null : URI.create(url),
        null,
        headers,
        new DeliveryRequest.Body("\"a=b\"", "a=b"),
        null,
        null,
        null);
  }

  @Test
  void a_request_without_a_url_takes_all_that_it_does_not_say_from_the_destination() {
    HttpDelivery delivery = request(null, Map.of("x-shop", "8")).to(ACME);

    assertThat(delivery.url()).isEqualTo(ACME.url());
    assertThat(delivery.method()).isEqualTo("PUT");
    assertThat(delivery.headers()).hasSize(2);
    assertThat(delivery.headers().get("X-Shop")).isEqualTo("8");
    assertThat(delivery.headers().get("authorization")).isEqualTo("Bearer acme");
    assertThat(delivery.rules()).isEqualTo(ACME.rules());
  }

  @Test
  void a_request_may_have_a_method_and_rules_of_its_own() {
    DeliveryRequest own =
        new DeliveryRequest(null, "PATCH", Map.of(), null, SuccessRule.DEFAULT, List.of(), null);

    HttpDelivery delivery = own.to(ACME);

    assertThat(delivery.method()).isEqualTo("PATCH");
    assertThat(delivery.rules()).isEqualTo(ResponseRules.DEFAULT);
  }

  @Test
  void a_request_with_a_url_takes_nothing_from_the_destination() {
    HttpDelivery delivery = request("https://other.example/", Map.of("x-shop", "8")).to(ACME);

    assertThat(delivery)
        .isEqualTo(request("https://other.example/", Map.of("x-shop", "8")).to(null));
    assertThat(delivery.headers()).containsOnlyKeys("x-shop");
    assertThat(delivery.rules()).isEqualTo(ResponseRules.DEFAULT);
  }

  @Test
  void the_destinations_content_type_says_how_a_string_is_sent() {
    Destination form =
        new Destination(
            ACME.url(),
            null,
            Map.of("content-type", "application/x-www-form-urlencoded"),
            ResponseRules.DEFAULT,
            null,
            Map.of());

    assertThat(request(null, Map.of()).to(form).body()).isEqualTo("a=b");
    assertThat(request(null, Map.of()).to(ACME).body()).isEqualTo("\"a=b\"");
  }

  @Test
  void a_request_that_goes_nowhere_says_so() {
    assertThatThrownBy(() -> request(null, Map.of()).to(null))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("no destination");
  }

  @Test
  void twenty_headers_of_each_go_together() {
    Map<String, String> own = new HashMap<>();
    Map<String, String> common = new HashMap<>();
    for (int i = 0; i < HttpDelivery.MAX_HEADERS; i++) {
      own.put("own-" + i, "1");
      common.put("common-" + i, "1");
    }
    Destination full =
        new Destination(ACME.url(), null, common, ResponseRules.DEFAULT, null, Map.of());

    assertThat(request(null, own).to(full).headers()).hasSize(40);
    own.put("one-more", "1");
    assertThatThrownBy(() -> request(null, own)).hasMessage("headers must be at most 20");
  }
}
