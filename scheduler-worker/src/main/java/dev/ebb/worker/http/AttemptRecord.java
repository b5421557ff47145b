package dev.ebb.worker.http;

import dev.ebb.core.Failure;
import dev.ebb.core.HttpDelivery;
import dev.ebb.core.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hc.core5.http.Header;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The record of an attempt, for people: request and response as they were sent and received, with
 * secrets masked and long parts cut, as JSON that PostgreSQL can hold whatever the other side sent.
 *
 * <pre>
 *   {request:   {method, url, headers: [{name, value}], body?, bodyBytes, bodyCut},
 *    response?: {status, headers, body, bodyBase64, bodyBytes, bodyCut},
 *    error?:    {reason, message},
 *    millis:    {connect?, head?, total}}
 * </pre>
 *
 * {@code bodyBytes} is what was sent or read, {@code bodyCut} whether there was more than is kept.
 */
final class AttemptRecord {
  private static final int MAX_HEADERS = 50;
  private static final int MAX_VALUE = 512;

  private AttemptRecord() {}

  static String of(HttpDelivery delivery, Exchange exchange, Outcome outcome) {
    ObjectNode attempt = JsonNodeFactory.instance.objectNode();
    attempt.set("request", request(delivery, exchange));
    Response response = exchange.response();
    if (response != null) {
      attempt.set("response", response(response));
    }
    Failure failure = failure(outcome);
    if (failure != null) {
      attempt.putObject("error").put("reason", failure.reason()).put("message", failure.message());
    }
    attempt.set("millis", millis(exchange));
    return attempt.toString();
  }

  private static ObjectNode request(HttpDelivery delivery, Exchange exchange) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    request.put("method", delivery.method());
    request.put("url", text(Masking.url(delivery.url().toString())));
    request.set("headers", headers(exchange.sentHeaders()));
    if (delivery.body() != null) {
      byte[] body = delivery.body().getBytes(StandardCharsets.UTF_8);
      request.put("body", text(BodyText.of(body, "").text()));
      request.put("bodyBytes", body.length);
      request.put("bodyCut", body.length > BodyText.MAX_BYTES);
    }
    return request;
  }

  private static ObjectNode response(Response response) {
    BodyText body = BodyText.of(response.body(), response.header("content-type").orElse(""));
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("status", response.status());
    node.set("headers", headers(response.headers()));
    node.put("body", text(body.text()));
    node.put("bodyBase64", body.base64());
    node.put("bodyBytes", response.body().length);
    node.put("bodyCut", response.cut() || response.body().length > BodyText.MAX_BYTES);
    return node;
  }

  private static ArrayNode headers(List<Header> headers) {
    ArrayNode nodes = JsonNodeFactory.instance.arrayNode();
    headers.stream()
        .limit(MAX_HEADERS)
        .forEach(header -> {
          String value = header.getValue() == null ? "" : header.getValue();
          nodes
              .addObject()
              .put("name", text(cut(header.getName())))
              .put("value", text(cut(Masking.header(header.getName(), value))));
        });
    return nodes;
  }

  private static ObjectNode millis(Exchange exchange) {
    ObjectNode millis = JsonNodeFactory.instance.objectNode();
    if (exchange.connectMillis() >= 0) {
      millis.put("connect", exchange.connectMillis());
    }
    if (exchange.headMillis() >= 0) {
      millis.put("head", exchange.headMillis());
    }
    return millis.put("total", exchange.totalMillis());
  }

  private static @Nullable Failure failure(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Failed failed -> failed.failure();
      case Outcome.Fatal fatal -> fatal.failure();
      case Outcome.Throttled throttled -> throttled.failure();
      case Outcome.Completed _, Outcome.NotReady _, Outcome.Cancelled _, Outcome.Released _ -> null;
    };
  }

  private static String cut(String text) {
    return text.length() <= MAX_VALUE ? text : text.substring(0, MAX_VALUE) + "…";
  }

  /** The text without what JSON in PostgreSQL cannot hold: NUL and lone surrogates. */
  private static String text(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints().map(c -> isStorable(c) ? c : '\uFFFD').forEach(clean::appendCodePoint);
    return clean.toString();
  }

  private static boolean isStorable(int codePoint) {
    return codePoint != 0
        && (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE);
  }
}
