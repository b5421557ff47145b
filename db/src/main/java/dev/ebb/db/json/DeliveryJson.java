package dev.ebb.db.json;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.http.DeliveryRequest;
import dev.ebb.core.http.HttpUrl;
import dev.ebb.core.job.NewJob;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The payload of a job of kind {@value #KIND}: {@code {url?, method?, headers?, body?, success?,
 * classes?, result?}}, of which {@link ResponseRulesJson} reads the last three. Without a URL it
 * goes to the destination that is the job's queue.
 *
 * <p>The body is sent as its JSON text, to the byte as it stands in the payload, so that what was
 * signed by the sender stays signed. One exception: where a {@code content-type} header says that
 * the body is not JSON (neither {@code …/json} nor {@code …+json}) and the body is a JSON string,
 * the string's characters are sent. {@code null} counts as absent.
 */
public final class DeliveryJson {
  /** The kind of the jobs that deliver over HTTP. */
  public static final String KIND = "http";

  /** All that a payload may have. */
  public static final List<String> FIELDS =
      List.of(
          "url",
          "method",
          "headers",
          "body",
          ResponseRulesJson.SUCCESS,
          ResponseRulesJson.CLASSES,
          ResponseRulesJson.RESULT);

  private static final String PAYLOAD = "payload";
  private static final String NO_OBJECT = "must be an object";
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .recyclerPool(JsonRecyclerPools.threadLocalPool())
          .build();

  private final String payload;
  private final JsonParser parser;
  private @Nullable URI url;
  private @Nullable String method;
  private Map<String, String> headers = Map.of();
  private DeliveryRequest.@Nullable Body body;
  private @Nullable JsonNode success;
  private @Nullable JsonNode classes;
  private @Nullable JsonNode result;

  private DeliveryJson(String payload, JsonParser parser) {
    this.payload = payload;
    this.parser = parser;
  }

  /**
   * Reads a payload; throws {@link InvalidInput} that names the field from {@code payload} on, such
   * as {@code payload.url} or {@code payload.headers.host}.
   */
  public static DeliveryRequest read(String payload) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), payload)) {
      return new DeliveryJson(payload, parser).delivery();
    } catch (InvalidInput broken) {
      throw broken.field().equals(PAYLOAD) ? broken : broken.under(PAYLOAD);
    } catch (JacksonException _) {
      throw new InvalidInput(
          PAYLOAD, "must be valid JSON without repeated names, oversized numbers or deep nesting");
    }
  }

  /**
   * The host to which a job's delivery goes, with its port unless that is the scheme's own, or its
   * queue where that is its destination; {@code null} for a job of another kind, or with a URL that
   * may not be called.
   */
  public static @Nullable String destination(NewJob job) {
    if (!job.kind().equals(KIND)) {
      return null;
    }
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), job.payload())) {
      String url = url(parser);
      return url == null ? job.queue() : HttpUrl.destination(HttpUrl.parse(url));
    } catch (InvalidInput | JacksonException _) {
      return null;
    }
  }

  /** Whether the job is a delivery that goes to its queue's destination. */
  public static boolean isToQueue(NewJob job) {
    return isToQueue(job.kind(), job.payload());
  }

  /** The same of a job of that kind with that payload. */
  public static boolean isToQueue(String kind, String payload) {
    if (!kind.equals(KIND)) {
      return false;
    }
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), payload)) {
      return url(parser) == null;
    } catch (InvalidInput | JacksonException _) {
      return false;
    }
  }

  /** Reads no further than to the URL; {@code null} if there is none, empty if it is no string. */
  private static @Nullable String url(JsonParser parser) {
    InvalidInput.require(parser.nextToken() == JsonToken.START_OBJECT, PAYLOAD, NO_OBJECT);
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      boolean found = parser.currentName().equals("url");
      JsonToken value = parser.nextToken();
      if (found && value != JsonToken.VALUE_NULL) {
        return value == JsonToken.VALUE_STRING ? parser.getString() : "";
      }
      parser.skipChildren();
    }
    return null;
  }

  private DeliveryRequest delivery() {
    InvalidInput.require(parser.nextToken() == JsonToken.START_OBJECT, PAYLOAD, NO_OBJECT);
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      field(name);
    }
    InvalidInput.require(parser.nextToken() == null, PAYLOAD, "must be one JSON value");
    return new DeliveryRequest(
        url,
        method,
        headers,
        body,
        success == null ? null : ResponseRulesJson.success(success),
        classes == null ? null : ResponseRulesJson.classes(classes),
        result == null ? null : ResponseRulesJson.result(result));
  }

  private void field(String name) {
    switch (name) {
      case "url" -> url = isNull() ? null : HttpUrl.parse(string(name));
      case "method" -> method = isNull() ? null : string(name);
      case "headers" -> headers = isNull() ? Map.of() : headers();
      case "body" -> readBody();
      case ResponseRulesJson.SUCCESS -> success = rule();
      case ResponseRulesJson.CLASSES -> classes = rule();
      case ResponseRulesJson.RESULT -> result = rule();
      default ->
          throw new InvalidInput(PAYLOAD, "must have no fields but " + String.join(", ", FIELDS));
    }
  }

  private boolean isNull() {
    return parser.currentToken() == JsonToken.VALUE_NULL;
  }

  private String string(String field) {
    InvalidInput.require(
        parser.currentToken() == JsonToken.VALUE_STRING, field, "must be a string");
    return parser.getString();
  }

  private Map<String, String> headers() {
    InvalidInput.require(
        parser.currentToken() == JsonToken.START_OBJECT,
        "headers",
        "must be an object of names and values");
    Map<String, String> read = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      InvalidInput.require(
          parser.currentToken() == JsonToken.VALUE_STRING,
          "headers",
          "must have strings as values");
      read.put(name, parser.getString());
    }
    return read;
  }

  private void readBody() {
    if (isNull()) {
      return;
    }
    int start = (int) parser.currentTokenLocation().getCharOffset();
    boolean isString = parser.currentToken() == JsonToken.VALUE_STRING;
    String string = isString ? parser.getString() : null;
    body = new DeliveryRequest.Body(textFrom(start), string);
  }

  /** The text of the value at which the parser stands, of which it goes to the end. */
  private String textFrom(int start) {
    parser.skipChildren();
    parser.finishToken();
    return payload.substring(start, (int) parser.currentLocation().getCharOffset()).strip();
  }

  private @Nullable JsonNode rule() {
    return isNull()
        ? null
        : JsonMapper.shared()
            .readTree(textFrom((int) parser.currentTokenLocation().getCharOffset()));
  }
}
