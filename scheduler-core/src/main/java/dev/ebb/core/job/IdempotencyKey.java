package dev.ebb.core.job;

import dev.ebb.core.Sha256;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The key under which a submit may be repeated: two hashes, so that neither the client's text nor
 * its request is stored.
 *
 * @param id of the key, among those of all clients and operations
 * @param fingerprint of the request that it stands for
 */
public record IdempotencyKey(UUID id, UUID fingerprint) {

  /**
   * The key of a client's request.
   *
   * @param client whose key it is, without line breaks
   * @param operation such as {@code POST /v1/jobs}, without line breaks
   * @param key as the client chose it
   * @param request all that the operation was told. Every byte of it counts, because a payload is
   *     kept to the byte
   */
  public static IdempotencyKey of(String client, String operation, String key, String request) {
    return new IdempotencyKey(hash(client + '\n' + operation + '\n' + key), hash(request));
  }

  /**
   * Bits that follow from the key and its request alone, for the id of one of the request's jobs.
   *
   * @param place of the job in the request, from 0
   */
  public long bits(int place) {
    return hash(id + "\n" + fingerprint + '\n' + place).getMostSignificantBits();
  }

  /** The first half of a SHA-256, which nobody can find a second text for. */
  private static UUID hash(String text) {
    ByteBuffer hash = ByteBuffer.wrap(Sha256.of(text));
    return new UUID(hash.getLong(), hash.getLong());
  }
}
