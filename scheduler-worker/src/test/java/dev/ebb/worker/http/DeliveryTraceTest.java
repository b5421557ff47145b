package dev.ebb.worker.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Outcome;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Which span the receiver of a delivery gets to see. */
class DeliveryTraceTest {
  private static final String OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
  private static final String ATTEMPT = "0af7651916cd43dd8448eb211c80319c";
  private static final String OWN = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final String SUBMIT = "00-4bf92f3577b34da6a3ce929d0e0e4736-b1a2f067aa0ba902-01";

  private static Span attempt(TraceFlags flags) {
    return Span.wrap(
        SpanContext.create(ATTEMPT, "b7ad6b7169203331", flags, TraceState.getDefault()));
  }

  /** Delivers in an attempt with this span, and answers the header that was sent. */
  private static String sent(Span span, @Nullable String given, @Nullable String submit)
      throws Exception {
    try (Wire wire = Wire.answering(OK);
        Deliveries deliveries = new Deliveries();
        Scope _ = span.makeCurrent()) {
      String headers = given == null ? "" : ",\"headers\":{\"TraceParent\":\"" + given + "\"}";
      String payload = "{\"url\":\"" + wire.url() + "\"" + headers + "}";
      FakeContext context = new FakeContext(payload, 1, Deliveries.LONG);
      context.traceparent = submit;
      assertThat(deliveries.run(context)).isEqualTo(Outcome.completed());
      return traceparent(context.record());
    }
  }

  private static String traceparent(JsonNode record) {
    StringBuilder values = new StringBuilder();
    for (JsonNode header : record.at("/request/headers")) {
      if (header.path("name").asString().equalsIgnoreCase("traceparent")) {
        values.append(header.path("value").asString());
      }
    }
    return values.toString();
  }

  @Test
  void it_is_the_attempts_if_that_is_kept() throws Exception {
    for (String submit : new String[] {SUBMIT, null}) {
      assertThat(sent(attempt(TraceFlags.getSampled()), null, submit))
          .isEqualTo("00-" + ATTEMPT + "-b7ad6b7169203331-01");
    }
  }

  @Test
  void it_is_the_submits_where_the_attempt_is_not_kept() throws Exception {
    for (Span span : new Span[] {Span.getInvalid(), attempt(TraceFlags.getDefault())}) {
      assertThat(sent(span, null, SUBMIT)).isEqualTo(SUBMIT);
      assertThat(sent(span, null, null)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {OWN, SUBMIT, "mine"})
  void it_is_what_the_payload_names(String given) throws Exception {
    for (Span span : new Span[] {Span.getInvalid(), attempt(TraceFlags.getSampled())}) {
      assertThat(sent(span, given, SUBMIT)).isEqualTo(given);
    }
  }
}
