package dev.ebb.ui.json;

import dev.ebb.contract.Attempt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What an attempt of a delivery recorded.
 *
 * @param response {@code null} where none came
 * @param parts where its time went, in order
 * @param proof where it went, to whom, and what decided
 */
public record Delivery(
    Message request, @Nullable Message response, List<Part> parts, List<Fact> proof) {

  /**
   * A request or a response.
   *
   * @param line method and URL, or the status
   * @param headers one a line; what is masked, as it comes
   * @param body {@code null} for none
   * @param note what is to be known of the body
   * @param remarks what was unusual, each in a sentence
   */
  public record Message(
      String line, String headers, @Nullable String body, String note, List<String> remarks) {}

  /** What it does, one step after the other. */
  public enum Step {
    LOOKUP,
    CONNECT,
    TLS,
    FIRST_BYTE,
    BODY
  }

  /** A part of the time that it took. */
  public record Part(Step step, long millis) {}

  /** What is known of it, under a name. */
  public record Fact(String name, String value) {}

  /** What an attempt recorded as a delivery; {@code null} if it was none. */
  public static @Nullable Delivery of(Attempt attempt) {
    String detail = attempt.detail();
    return detail == null ? null : of(Json.parsed(detail));
  }

  private static @Nullable Delivery of(JsonNode detail) {
    JsonNode request = detail.path("request");
    JsonNode response = detail.path("response");
    if (!request.isObject()) {
      return null;
    }
    return new Delivery(
        message(request, text(request, "method") + " " + text(request, "url")),
        response.isObject() ? message(response, "Status " + text(response, "status")) : null,
        parts(detail.path("millis"), isKept(detail)),
        proof(detail));
  }

  private static boolean isKept(JsonNode detail) {
    return detail.at("/connection/kept").asBoolean(false);
  }

  private static List<Fact> proof(JsonNode detail) {
    List<Fact> facts = new ArrayList<>();
    JsonNode destination = detail.path("destination");
    if (destination.has("name")) {
      String version = text(destination, "version");
      facts.add(new Fact("Destination", text(destination, "name") + ", version " + version));
    }
    JsonNode connection = detail.path("connection");
    if (connection.has("address")) {
      String kept = isKept(detail) ? ", by a connection kept from an earlier delivery" : "";
      facts.add(new Fact("Connected to", text(connection, "address") + kept));
    }
    JsonNode tls = connection.path("tls");
    if (tls.has("version")) {
      facts.add(new Fact("TLS", text(tls, "version") + ", " + text(tls, "subject")));
      facts.add(new Fact("Certificate, SHA-256", text(tls, "sha256")));
    }
    if (detail.has("rule")) {
      facts.add(new Fact("Decided by", text(detail, "rule")));
    }
    return facts;
  }

  private static Message message(JsonNode message, String line) {
    JsonNode body = message.path("body");
    return new Message(
        line,
        headers(message),
        body.isMissingNode() ? null : body.asString(""),
        note(message),
        remarks(message));
  }

  private static List<String> remarks(JsonNode message) {
    List<String> remarks = new ArrayList<>();
    if (message.path("resent").asBoolean(false)) {
      remarks.add(
          "Sent again on a new connection, because the first one broke before any response.");
    }
    for (JsonNode fault : message.path("faults")) {
      remarks.add("The response is faulty: " + text(fault, "message") + ".");
    }
    return remarks;
  }

  private static String headers(JsonNode message) {
    JsonNode headers = message.path("headers");
    if (!headers.isArray()) {
      return headers.asString("");
    }
    StringBuilder lines = new StringBuilder();
    headers.forEach(one ->
        lines.append(text(one, "name")).append(": ").append(text(one, "value")).append('\n'));
    return lines + (message.path("headersCut").asBoolean(false) ? "… more headers not kept" : "");
  }

  private static String note(JsonNode message) {
    List<String> notes = new ArrayList<>();
    if (message.has("bodyBytes")) {
      notes.add(text(message, "bodyBytes") + " bytes");
    }
    if (message.path("bodyBase64").asBoolean(false)) {
      notes.add("binary, shown as base64");
    }
    if (message.path("bodyCut").asBoolean(false)) {
      notes.add("cut");
    }
    return String.join(", ", notes);
  }

  private static String text(JsonNode of, String name) {
    return of.path(name).asString("");
  }

  /** The record counts from the start: the parts are what lies between. */
  private static List<Part> parts(JsonNode millis, boolean isKept) {
    Map<String, Step> steps = new LinkedHashMap<>();
    if (!isKept) {
      steps.put("lookup", Step.LOOKUP);
      steps.put("tcp", Step.CONNECT);
      steps.put("connect", millis.has("tcp") ? Step.TLS : Step.CONNECT);
    }
    steps.put("head", Step.FIRST_BYTE);
    steps.put("total", last(millis));
    List<Part> parts = new ArrayList<>();
    long before = 0;
    for (Map.Entry<String, Step> step : steps.entrySet()) {
      JsonNode until = millis.path(step.getKey());
      if (until.isIntegralNumber()) {
        parts.add(new Part(step.getValue(), Math.max(0, until.asLong() - before)));
        before = Math.max(before, until.asLong());
      }
    }
    return parts;
  }

  /** What it did last: read a body, wait for a response, or try to connect. */
  private static Step last(JsonNode millis) {
    if (millis.has("head")) {
      return Step.BODY;
    }
    if (millis.has("connect")) {
      return Step.FIRST_BYTE;
    }
    return millis.has("tcp") ? Step.TLS : Step.CONNECT;
  }
}
