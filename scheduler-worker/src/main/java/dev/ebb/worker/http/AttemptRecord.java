package dev.ebb.worker.http;

import dev.ebb.core.http.HttpDelivery;
import dev.ebb.core.http.Masking;
import dev.ebb.core.http.ResponseRules;
import dev.ebb.core.http.Verdict;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The record of an attempt, for people: request and response as they were sent and received, with
 * secrets masked and long parts cut, as JSON that PostgreSQL can hold whatever the other side sent.
 *
 * <pre>
 *   {request:   {method, url, headers: [{name, value}], headersCut, resent?,
 *                body?, bodyBytes, bodyCut, signedBy?: [key]},
 *    destination?: {name, version},
 *    response?: {status, headers, headersCut, body, bodyBase64, bodyBytes, bodyCut,
 *                faults?: [{reason, message}]},
 *    error?:    {reason, message},
 *    rule?:     text,
 *    result?:   {name: text},
 *    connection?: {address, kept?, tls?: {version, subject, sha256}},
 *    millis:    {lookup?, tcp?, connect?, head?, total}}
 * </pre>
 *
 * {@code millis} counts from the start until the addresses were known, TLS began, the connection
 * stood, the head of the answer was there, and all was over. On a connection that is {@code kept}
 * from an exchange before, only {@code connect}, when the request began, {@code head} and {@code
 * total} are there. {@code rule} is the one that made an outcome of the answer.
 *
 * <p>{@code bodyBytes} is what was sent or read, {@code bodyCut} and {@code headersCut} whether
 * there was more than is kept. {@code resent} is there and true if the request was sent again at
 * once by {@link FreshConnection}; {@code faults} are each {@link Fault} of the answer. Each part
 * has its room, counted in bytes of the JSON, so that no answer makes a record larger than {@value
 * #MAX_BYTES} bytes; headers that find no room are left out.
 */
final class AttemptRecord {
  /** The sum of the parts, with 2 KiB for the frame, reasons and numbers. */
  static final int MAX_BYTES = 46 * 1024;

  private static final int URL_BYTES = 3 * 1024;
  private static final int SUBJECT_BYTES = 256;

  /** Of each of the at most 16 values that are kept as the job's result. */
  private static final int VALUE_BYTES = 6 * ResponseRules.MAX_VALUE;

  /** Holds {@value BodyText#MAX_BYTES} bytes in base64. */
  private static final int BODY_BYTES = 5 * 1024 + 512;

  private AttemptRecord() {}

  static String of(Sent sent, Exchange exchange, Outcome outcome) {
    ObjectNode attempt = JsonNodeFactory.instance.objectNode();
    ObjectNode request = request(sent.delivery(), exchange);
    if (!sent.signedBy().isEmpty()) {
      sent.signedBy().forEach(request.putArray("signedBy")::add);
    }
    attempt.set("request", request);
    if (sent.destination() != null) {
      attempt
          .putObject("destination")
          .put("name", sent.destination())
          .put("version", sent.version());
    }
    Response response = exchange.response();
    if (response != null) {
      attempt.set("response", response(response, exchange));
    }
    Failure failure = outcome.failure();
    if (failure != null) {
      attempt.putObject("error").put("reason", failure.reason()).put("message", failure.message());
    }
    Verdict verdict = exchange.verdict();
    if (verdict != null) {
      attempt.put("rule", verdict.rule());
      putResult(attempt, verdict);
    }
    Peer peer = exchange.peer();
    if (peer != null) {
      attempt.set("connection", connection(peer));
    }
    attempt.set("millis", millis(exchange.times()));
    return attempt.toString();
  }

  private static void putResult(ObjectNode attempt, Verdict verdict) {
    if (!verdict.result().isEmpty()) {
      ObjectNode result = attempt.putObject("result");
      new TreeMap<>(verdict.result())
          .forEach((name, value) -> result.put(name, JsonText.fit(value, VALUE_BYTES)));
    }
  }

  private static ObjectNode request(HttpDelivery delivery, Exchange exchange) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    request.put("method", delivery.method());
    request.put("url", JsonText.fit(Masking.url(delivery.url().toString()), URL_BYTES));
    KeptHeaders.of(exchange.sentHeaders()).putTo(request);
    if (exchange.isResent()) {
      request.put("resent", true);
    }
    if (delivery.body() != null) {
      byte[] body = delivery.body().getBytes(StandardCharsets.UTF_8);
      boolean cut = putBody(request, BodyText.of(body, "").text());
      request.put("bodyBytes", body.length);
      request.put("bodyCut", cut || body.length > BodyText.MAX_BYTES);
    }
    return request;
  }

  private static ObjectNode response(Response response, Exchange exchange) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("status", response.status());
    response.headers().putTo(node);
    boolean cut = putBody(node, response.body().text());
    node.put("bodyBase64", response.body().base64());
    node.put("bodyBytes", response.bodyBytes());
    node.put("bodyCut", cut || response.isBodyCut());
    if (!exchange.faults().isEmpty()) {
      ArrayNode faults = node.putArray("faults");
      for (Fault fault : exchange.faults()) {
        faults.addObject().put("reason", fault.reason()).put("message", fault.message());
      }
    }
    return node;
  }

  /** Whether the body is kept short of what was given. */
  private static boolean putBody(ObjectNode message, String body) {
    String kept = JsonText.fit(body, BODY_BYTES);
    message.put("body", kept);
    return kept.length() < body.length();
  }

  private static ObjectNode connection(Peer peer) {
    ObjectNode connection = JsonNodeFactory.instance.objectNode();
    connection.put("address", peer.address());
    if (peer.kept()) {
      connection.put("kept", true);
    }
    Peer.Tls tls = peer.tls();
    if (tls != null) {
      connection
          .putObject("tls")
          .put("version", tls.version())
          .put("subject", JsonText.fit(tls.subject(), SUBJECT_BYTES))
          .put("sha256", tls.sha256());
    }
    return connection;
  }

  private static ObjectNode millis(ExchangeTimes times) {
    ObjectNode millis = JsonNodeFactory.instance.objectNode();
    put(millis, "lookup", times.lookup());
    put(millis, "tcp", times.tcp());
    put(millis, "connect", times.connect());
    put(millis, "head", times.head());
    return millis.put("total", times.total());
  }

  private static void put(ObjectNode millis, String part, long until) {
    if (until >= 0) {
      millis.put(part, until);
    }
  }
}
