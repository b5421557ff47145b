package dev.ebb.worker.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a sender writes stays within the line for which it was meant. */
class HeaderInjectionTest {
  private static final String OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

  /** Each is a member of a payload, whose escapes are JSON's. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'headers':{'x':'1\\r\\nevil: 1'}",
        "'headers':{'x':'1\\nevil: 1'}",
        "'headers':{'x':'1\\revil: 1'}",
        "'headers':{'x':'1\\r\\n\\r\\nGET /evil HTTP/1.1'}",
        "'headers':{'x':'1\\u0000evil'}",
        "'headers':{'x':'1\\u0085evil: 1'}",
        "'headers':{'x':'1\\u2028evil: 1'}",
        "'headers':{'x':'1\\u010d\\u010aevil: 1'}",
        "'headers':{'x':'1\\tevil'}",
        "'headers':{'x':' evil'}",
        "'headers':{'x':''}",
        "'headers':{'x\\r\\nevil':'1'}",
        "'headers':{'x: 1\\r\\nevil':'1'}",
        "'headers':{'x:':'1'}",
        "'headers':{'':'1'}",
        "'headers':{'host':'evil'}",
        "'headers':{'content-length':'0'}",
        "'headers':{'Transfer-Encoding':'chunked'}",
        "'headers':{'transfer_encoding':'chunked'}",
        "'headers':{'webhook-signature':'v1,evil'}",
        "'method':'POST /evil HTTP/1.1\\r\\nx:'",
        "'method':'CONNECT'"
      })
  void a_payload_that_would_write_lines_of_its_own_is_not_delivered(String member)
      throws Exception {
    try (Wire wire = Wire.answering(OK);
        Deliveries deliveries = new Deliveries()) {
      String payload = "{'url':'" + wire.url() + "'," + member + "}";
      Outcome outcome = deliveries.run(payload.replace('\'', '"'), Deliveries.LONG);

      assertThat(Deliveries.reason(outcome)).isEqualTo("unreadable_payload");
      assertThat(wire.connections()).isZero();
    }
  }

  @Test
  void escapes_in_the_path_stay_escaped() throws Exception {
    try (Wire wire = Wire.answering(OK);
        Deliveries deliveries = new Deliveries()) {
      String path = "/a%0d%0aevil:%201?b=%0D%0A%00";

      assertThat(deliveries.deliver("http://127.0.0.1:" + wire.port() + path))
          .isEqualTo(Outcome.completed());
      assertThat(wire.requests.getFirst()).startsWith("POST " + path + " HTTP/1.1\r\n");
    }
  }
}
