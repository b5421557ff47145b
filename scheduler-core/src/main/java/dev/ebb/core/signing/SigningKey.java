package dev.ebb.core.signing;

import static java.util.Objects.requireNonNullElse;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A key with which the deliveries to a destination are signed.
 *
 * @param id by which people know it
 * @param sealed the secret, which a {@link SecretBox} opens
 * @param publicKey of a scheme that has one, as its receivers take it
 * @param expiresAt from when on it signs no more; {@code null} for never
 * @param names by which receivers know it
 * @param share of the deliveries that it signs; {@code null} for all
 */
public record SigningKey(
    String id,
    SigningScheme scheme,
    String sealed,
    @Nullable String publicKey,
    Instant createdAt,
    @Nullable Instant expiresAt,
    SignerNames names,
    @Nullable KeyShare share) {
  /** How many a destination may have. */
  public static final int MAX = 5;

  public SigningKey {
    scheme.requireFits(names);
  }

  /** One that signs all, known by its id. */
  public SigningKey(
      String id,
      SigningScheme scheme,
      String sealed,
      @Nullable String publicKey,
      Instant createdAt,
      @Nullable Instant expiresAt) {
    this(id, scheme, sealed, publicKey, createdAt, expiresAt, SignerNames.NONE, null);
  }

  public boolean isActive(Instant now) {
    return expiresAt == null || now.isBefore(expiresAt);
  }

  /** What its secret is sealed for. */
  public String context(String destination) {
    return context(destination, id);
  }

  /** That of a key which is still to be made. */
  public static String context(String destination, String id) {
    return destination + "/" + id;
  }

  /** The same until then, if it does not expire sooner. */
  public SigningKey until(Instant end) {
    boolean isSooner = expiresAt != null && expiresAt.isBefore(end);
    return isSooner ? this : expiring(end);
  }

  /** The same without an end. */
  public SigningKey lasting() {
    return expiring(null);
  }

  private SigningKey expiring(@Nullable Instant end) {
    return new SigningKey(id, scheme, sealed, publicKey, createdAt, end, names, share);
  }

  /** The same for another share. */
  public SigningKey with(@Nullable KeyShare share) {
    return new SigningKey(id, scheme, sealed, publicKey, createdAt, expiresAt, names, share);
  }

  /** Whether its signature stands in {@code webhook-signature}, beside those of others. */
  public boolean isListed() {
    return scheme.isList();
  }

  /** The headers that a request gets by it. */
  public Map<String, String> headers(byte[] secret, UnsignedRequest request) {
    return scheme.headers(secret, requireNonNullElse(names.serial(), id), names, request);
  }

  /**
   * Those of a destination's keys that sign a delivery: the active ones whose share it is in. Where
   * it is in none of a scheme, the oldest of that signs; where a scheme has room for one signature,
   * the newest that may.
   *
   * @param keys the newest first
   * @param id the header {@code webhook-id}
   */
  public static List<SigningKey> chosen(List<SigningKey> keys, String id, Instant now) {
    List<SigningKey> active = keys.stream().filter(key -> key.isActive(now)).toList();
    return active.stream().filter(key -> key.signs(active, id, now)).toList();
  }

  private boolean signs(List<SigningKey> active, String id, Instant now) {
    List<SigningKey> alike = active.stream().filter(key -> key.scheme == scheme).toList();
    List<SigningKey> taking = alike.stream().filter(key -> key.takes(id, now)).toList();
    List<SigningKey> able = taking.isEmpty() ? List.of(alike.getLast()) : taking;
    return scheme.isList() ? able.contains(this) : able.getFirst().equals(this);
  }

  private boolean takes(String id, Instant now) {
    return share == null || share.takes(id, now);
  }
}
