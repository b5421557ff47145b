package dev.ebb.core.signing;

import org.jspecify.annotations.Nullable;

/** A signing key that is to be stored: random, or one that a receiver has already. */
public final class NewKey {
  private final byte[] secret;
  private final @Nullable String shown;
  private final @Nullable String publicKey;

  private NewKey(byte[] secret, @Nullable String shown, @Nullable String publicKey) {
    this.secret = secret;
    this.shown = shown;
    this.publicKey = publicKey;
  }

  /**
   * A secret that the receiver must have, too.
   *
   * @param shown as it needs it; {@code null} if it has it
   */
  static NewKey shared(byte[] secret, @Nullable String shown) {
    return new NewKey(secret, shown, null);
  }

  /** A secret that nobody else needs. */
  static NewKey ofPair(byte[] secret, String publicKey) {
    return new NewKey(secret, null, publicKey);
  }

  /** The bytes that sign. */
  public byte[] secret() {
    return secret;
  }

  /** The secret as its receiver needs it; {@code null} for nothing to show. */
  public @Nullable String shown() {
    return shown;
  }

  /** {@code null} for a scheme without one. */
  public @Nullable String publicKey() {
    return publicKey;
  }
}
