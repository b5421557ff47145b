package dev.ebb.worker.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.message.BasicHttpResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeliveryClientTest {
  @ParameterizedTest
  @CsvSource({
    "'', 4000",
    "timeout=2, 1500",
    "'max=100, Timeout=3', 2500",
    "timeout=60, 4000",
    "timeout=0, 1",
    "timeout=-7, 1",
    "timeout=soon, 4000",
    "timeout=99999999999999999999, 4000"
  })
  void an_idle_connection_is_kept_no_longer_than_its_server_says(String header, long millis) {
    BasicHttpResponse response = new BasicHttpResponse(200);
    response.setHeader("keep-alive", header);

    assertThat(DeliveryClient.keepAlive(response, HttpClientContext.create()).toMilliseconds())
        .isEqualTo(millis);
  }
}
