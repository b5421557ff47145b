package dev.ebb.worker.http;

import dev.ebb.core.Failure;
import dev.ebb.core.HttpDelivery;
import dev.ebb.core.Masking;
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
 *   {request:   {method, url, headers: [{name, value}], headersCut, body?, bodyBytes, bodyCut},
 *    response?: {status, headers, headersCut, body, bodyBase64, bodyBytes, bodyCut},
 *    error?:    {reason, message},
 *    millis:    {connect?, head?, total}}
 * </pre>
 *
 * {@code bodyBytes} is what was sent or read, {@code bodyCut} and {@code headersCut} whether there
 * was more than is kept. Each part has its room, counted in bytes of the JSON, so that no answer
 * makes a record larger than {@value #MAX_BYTES} bytes; headers that find no room are left out.
 */
final class AttemptRecord {
  /** What the parts come to, with {@code 2 KiB} for the frame, reasons and numbers. */
  static final int MAX_BYTES = 26 * 1024;

  private static final int MAX_HEADERS = 50;
  private static final int MAX_NAME = 128;
  private static final int MAX_VALUE = 512;
  private static final int HEADERS_BYTES = 5 * 1024;
  private static final int URL_BYTES = 3 * 1024;

  /** Holds {@value BodyText#MAX_BYTES} bytes in base64. */
  private static final int BODY_BYTES = 5 * 1024 + 512;

  /** Of {@code {"name":"","value":""},}. */
  private static final int HEADER_FRAME_BYTES = 23;

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
    request.put("url", JsonText.fit(Masking.url(delivery.url().toString()), URL_BYTES));
    putHeaders(request, exchange.sentHeaders());
    if (delivery.body() != null) {
      byte[] body = delivery.body().getBytes(StandardCharsets.UTF_8);
      boolean cut = putBody(request, BodyText.of(body, "").text());
      request.put("bodyBytes", body.length);
      request.put("bodyCut", cut || body.length > BodyText.MAX_BYTES);
    }
    return request;
  }

  private static ObjectNode response(Response response) {
    BodyText body = BodyText.of(response.body(), response.header("content-type").orElse(""));
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("status", response.status());
    putHeaders(node, response.headers());
    boolean cut = putBody(node, body.text());
    node.put("bodyBase64", body.base64());
    node.put("bodyBytes", response.body().length);
    node.put("bodyCut", cut || response.cut() || response.body().length > BodyText.MAX_BYTES);
    return node;
  }

  /** Whether the body is kept short of what was given. */
  private static boolean putBody(ObjectNode message, String body) {
    String kept = JsonText.fit(body, BODY_BYTES);
    message.put("body", kept);
    return kept.length() < body.length();
  }

  private static void putHeaders(ObjectNode message, List<Header> headers) {
    ArrayNode nodes = message.putArray("headers");
    int room = HEADERS_BYTES;
    for (Header header : headers.subList(0, Math.min(headers.size(), MAX_HEADERS))) {
      String name = JsonText.fit(header.getName(), MAX_NAME);
      String value = value(header);
      int bytes = HEADER_FRAME_BYTES + JsonText.bytes(name) + JsonText.bytes(value);
      if (bytes <= room) {
        room -= bytes;
        nodes.addObject().put("name", name).put("value", value);
      }
    }
    message.put("headersCut", nodes.size() < headers.size());
  }

  private static String value(Header header) {
    String value = header.getValue() == null ? "" : header.getValue();
    String masked = Masking.header(header.getName(), value);
    String kept = JsonText.fit(masked, MAX_VALUE);
    return kept.length() < masked.length() ? kept + "…" : kept;
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
      case Outcome.NotReady _ -> Verdict.lookupBusy();
      case Outcome.Completed _, Outcome.Cancelled _, Outcome.Released _ -> null;
    };
  }
}
