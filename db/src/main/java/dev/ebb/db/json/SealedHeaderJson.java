package dev.ebb.db.json;

import dev.ebb.core.http.Masking;
import dev.ebb.core.http.SealedHeader;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The secret headers of a destination as its row has them: {@code {"sealed": …, "shown"?}} in the
 * place of a value, without {@code shown} where nothing of it is.
 */
final class SealedHeaderJson {
  static final String SEALED = "sealed";
  private static final String SHOWN = "shown";

  private SealedHeaderJson() {}

  /** Takes the sealed ones out of the object, and leaves the others. */
  static Map<String, SealedHeader> takeFrom(JsonNode headers) {
    Map<String, SealedHeader> sealed = new TreeMap<>();
    headers.properties().stream()
        .filter(one -> one.getValue().path(SEALED).isString())
        .forEach(one -> sealed.put(one.getKey(), header(one.getValue())));
    if (headers instanceof ObjectNode object) {
      object.remove(sealed.keySet());
    }
    return sealed;
  }

  private static SealedHeader header(JsonNode json) {
    return new SealedHeader(
        json.path(SEALED).stringValue(), json.path(SHOWN).asString(Masking.MASK));
  }

  static void write(Map<String, SealedHeader> headers, ObjectNode destination) {
    headers.forEach((name, header) -> destination.withObject("headers").set(name, write(header)));
  }

  static ObjectNode write(SealedHeader header) {
    ObjectNode json = JsonMapper.shared().createObjectNode().put(SEALED, header.sealed());
    return header.shown().equals(Masking.MASK) ? json : json.put(SHOWN, header.shown());
  }
}
