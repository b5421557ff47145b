package dev.ebb.db.json;

import dev.ebb.core.http.SealedHeader;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.core.tls.TlsSettings;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The secrets of a destination as it is stored, sealed with the key that seals now. What a newer
 * version has stored beside them stays.
 */
public final class SealedAnew {
  private final SecretBox box;
  private final Supplier<byte[]> nonces;
  private int anew;
  private int current;
  private int unopened;

  private SealedAnew(SecretBox box, Supplier<byte[]> nonces) {
    this.box = box;
    this.nonces = nonces;
  }

  /**
   * What comes of it.
   *
   * @param json the destination as it is then
   * @param anew how many secrets were sealed anew, or for the first time
   * @param current how many the key had sealed already
   * @param unopened how many stay as they are, because no key of the box opens them
   */
  public record Result(String json, int anew, int current, int unopened) {}

  /**
   * Seals those of one destination.
   *
   * @param queue its name, to which they are bound
   * @param nonces random ones
   */
  public static Result of(String queue, String json, SecretBox box, Supplier<byte[]> nonces) {
    SealedAnew sealing = new SealedAnew(box, nonces);
    JsonNode tree = JsonMapper.shared().readTree(json);
    for (JsonNode key : tree.path("signing").values()) {
      sealing.seal(key, "sealed", SigningKey.context(queue, key.path("id").asString("")));
    }
    sealing.seal(tree.path("tls"), "sealedKey", TlsSettings.context(queue));
    for (Map.Entry<String, JsonNode> header : Set.copyOf(tree.path("headers").properties())) {
      sealing.sealHeader(queue, header.getKey(), header.getValue(), tree.path("headers"));
    }
    String after = sealing.anew == 0 ? json : tree.toString();
    return new Result(after, sealing.anew, sealing.current, sealing.unopened);
  }

  /** One that is stored in clear was written before there was a key. */
  private void sealHeader(String queue, String name, JsonNode value, JsonNode headers) {
    if (!value.isString()) {
      seal(value, SealedHeaderJson.SEALED, SealedHeader.context(queue, name));
    } else if (SealedHeader.isSecret(name, value.stringValue())) {
      SealedHeader sealed = SealedHeader.of(queue, name, value.stringValue(), box, nonces.get());
      ((ObjectNode) headers).set(name, SealedHeaderJson.write(sealed));
      anew++;
    }
  }

  private void seal(JsonNode holder, String field, String context) {
    String sealed = holder.path(field).asString("");
    if (!(holder instanceof ObjectNode object) || sealed.isEmpty()) {
      return;
    }
    if (box.isCurrent(sealed)) {
      current++;
      return;
    }
    Optional<byte[]> secret = box.open(sealed, context);
    if (secret.isEmpty()) {
      unopened++;
      return;
    }
    object.put(field, box.seal(secret.get(), nonces.get(), context));
    anew++;
  }
}
