package dev.ebb.db.json;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.Sha256;
import dev.ebb.core.circuit.CircuitRule;
import dev.ebb.core.http.Destination;
import dev.ebb.core.http.HttpUrl;
import dev.ebb.core.http.Masking;
import dev.ebb.core.http.ResponseClass;
import dev.ebb.core.http.ResponseRules;
import dev.ebb.core.http.SealedHeader;
import dev.ebb.core.http.SuccessRule;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.core.tls.TlsSettings;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A queue's address as JSON, in the database and over REST: {@code {url, method?, headers?,
 * success?, classes?, result?, timeout?, circuit?, labels?}}, of which {@link ResponseRulesJson}
 * reads success and classes, and {@link CircuitRuleJson} the circuit. In the database it has keys
 * and TLS besides, and secret headers as {@link SealedHeaderJson} writes them.
 */
public final class DestinationJson {
  /** All that it may have. */
  public static final List<String> FIELDS =
      List.of(
          "url",
          "method",
          "headers",
          ResponseRulesJson.SUCCESS,
          ResponseRulesJson.CLASSES,
          ResponseRulesJson.RESULT,
          "timeout",
          CircuitRuleJson.CIRCUIT,
          "labels");

  private static final String SIGNING = "signing";
  private static final String TLS = "tls";
  private static final Logger LOG = LoggerFactory.getLogger(DestinationJson.class);
  private static final int REMEMBERED = 20_000;
  private static final int VERSION_DIGITS = 12;
  private static final Map<String, Optional<Stored>> READ = new ConcurrentHashMap<>();

  /** One that was read. */
  private record Stored(Destination destination, String version) {}

  private DestinationJson() {}

  /**
   * Reads these fields of an object, and no others.
   *
   * @throws InvalidInput that names the field
   */
  public static Destination read(JsonNode json) {
    JsonFields fields = new JsonFields(json);
    require(fields.has("url"), "url", "must be given");
    JsonNode success = json.path(ResponseRulesJson.SUCCESS);
    JsonNode classes = json.path(ResponseRulesJson.CLASSES);
    SuccessRule rule =
        fields.has(ResponseRulesJson.SUCCESS)
            ? ResponseRulesJson.success(success)
            : SuccessRule.DEFAULT;
    List<ResponseClass> others =
        fields.has(ResponseRulesJson.CLASSES) ? ResponseRulesJson.classes(classes) : List.of();
    Map<String, String> result =
        fields.has(ResponseRulesJson.RESULT)
            ? ResponseRulesJson.result(json.path(ResponseRulesJson.RESULT))
            : Map.of();
    Destination destination =
        new Destination(
            HttpUrl.parse(fields.string("url", "")),
            fields.has("method") ? fields.string("method", "") : null,
            fields.strings("headers"),
            new ResponseRules(rule, others, result),
            fields.has("timeout") ? fields.duration("timeout") : null,
            fields.strings("labels"));
    return fields.has(CircuitRuleJson.CIRCUIT)
        ? destination.with(CircuitRuleJson.read(json.path(CircuitRuleJson.CIRCUIT)))
        : destination;
  }

  /**
   * A destination as it is stored; {@code null} for none, and where this version cannot read it.
   */
  public static @Nullable Destination stored(@Nullable String json) {
    return known(json).map(Stored::destination).orElse(null);
  }

  /** Its version, as {@link #version(Destination)} has it; {@code null} where it is none. */
  public static @Nullable String version(@Nullable String json) {
    return known(json).map(Stored::version).orElse(null);
  }

  private static Optional<Stored> known(@Nullable String json) {
    if (json == null) {
      return Optional.empty();
    }
    if (READ.size() > REMEMBERED) {
      READ.clear();
    }
    return READ.computeIfAbsent(json, DestinationJson::readStored);
  }

  /** One of a newer version must not stop this one's work. */
  private static Optional<Stored> readStored(String json) {
    try {
      JsonNode tree = JsonMapper.shared().readTree(json);
      Map<String, SealedHeader> sealed = SealedHeaderJson.takeFrom(tree.path("headers"));
      Destination clear = read(tree);
      Destination read =
          clear
              .with(clear.headers(), sealed)
              .with(SigningKeyJson.read(tree.path(SIGNING)))
              .with(TlsJson.read(tree.path(TLS)));
      return Optional.of(new Stored(read, version(read)));
    } catch (InvalidInput | JacksonException | DateTimeParseException e) {
      LOG.error("this version cannot read a stored destination: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Digits that tell one address, with its rules and keys, from another. A secret's value is not in
   * them: nobody can try guesses on them.
   */
  public static String version(Destination destination) {
    ObjectNode json = write(destination);
    json.put("url", Masking.url(destination.url().toString()));
    // Maps have no order of their own.
    json.remove("headers");
    destination.shownHeaders().forEach(json.withObject("headers")::put);
    json.remove("labels");
    new TreeMap<>(destination.labels()).forEach(json.withObject("labels")::put);
    destination
        .signing()
        .forEach(key ->
            json.withArray(SIGNING)
                .add(key.share() == null ? key.id() : key.id() + " " + key.share()));
    byte[] hash = Sha256.of(json.toString());
    return HexFormat.of().formatHex(hash).substring(0, VERSION_DIGITS);
  }

  /** The keys as they are stored. */
  public static String keys(List<SigningKey> keys) {
    ArrayNode json = JsonMapper.shared().createArrayNode();
    SigningKeyJson.write(keys, json);
    return json.toString();
  }

  /** What it has for TLS, as it is stored. */
  public static @Nullable String tls(@Nullable TlsSettings tls) {
    return tls == null ? null : TlsJson.write(tls);
  }

  /** All of it but its keys and what it has for TLS; {@link #read} reads it back. */
  public static ObjectNode write(Destination destination) {
    JsonMapper mapper = JsonMapper.shared();
    ObjectNode json = mapper.createObjectNode();
    json.put("url", destination.url().toString());
    if (destination.method() != null) {
      json.put("method", destination.method());
    }
    destination.headers().forEach(json.withObject("headers")::put);
    SealedHeaderJson.write(destination.sealedHeaders(), json);
    ResponseRules rules = destination.rules();
    json.set(
        ResponseRulesJson.SUCCESS, mapper.valueToTree(ResponseRulesJson.shown(rules.success())));
    json.set(
        ResponseRulesJson.CLASSES, mapper.valueToTree(ResponseRulesJson.shown(rules.classes())));
    if (!rules.result().isEmpty()) {
      new TreeMap<>(rules.result()).forEach(json.withObject(ResponseRulesJson.RESULT)::put);
    }
    Duration timeout = destination.timeout();
    if (timeout != null) {
      json.put("timeout", timeout.toString());
    }
    if (!destination.circuit().equals(CircuitRule.DEFAULT)) {
      json.set(CircuitRuleJson.CIRCUIT, CircuitRuleJson.write(destination.circuit()));
    }
    destination.labels().forEach(json.withObject("labels")::put);
    return json;
  }
}
