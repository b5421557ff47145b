package dev.ebb.core.signing;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals secrets before they are stored, by AES-256 in Galois/Counter Mode (NIST SP 800-38D). What
 * is sealed names the key, so that a box with several keys opens what each of them sealed:
 *
 * <pre>
 *   4f1c09ab.base64url(nonce of 12 bytes, ciphertext, tag of 16 bytes)
 * </pre>
 *
 * <p>The context is authenticated with it: what was sealed for one destination and key opens for no
 * other.
 */
public final class SecretBox {
  /** How many bytes a nonce has, which must be new for each seal. */
  public static final int NONCE_BYTES = 12;

  /** A box without keys. */
  public static final SecretBox NONE = new SecretBox(List.of());

  private static final int KEY_BYTES = 32;
  private static final int TAG_BITS = 128;
  private static final int ID_BYTES = 4;

  private final List<Key> keys;

  private record Key(String id, SecretKeySpec secret) {
    static Key of(byte[] bytes) {
      String id = HexFormat.of().formatHex(Sha256.of(bytes), 0, ID_BYTES);
      return new Key(id, new SecretKeySpec(bytes, "AES"));
    }
  }

  private SecretBox(List<Key> keys) {
    this.keys = List.copyOf(keys);
  }

  /**
   * A box with these keys, of which the first seals.
   *
   * @param text one to five keys of 32 bytes in base64, separated by commas
   * @throws InvalidInput that names no part of them
   */
  public static SecretBox parse(String text) {
    List<String> parts = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    require(parts.size() <= 5, "secretsKey", "must be one to five keys");
    return new SecretBox(parts.stream().map(SecretBox::key).toList());
  }

  private static Key key(String text) {
    byte[] bytes = new byte[0];
    try {
      bytes = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException _) {
      // The rule is told below.
    }
    require(
        bytes.length == KEY_BYTES,
        "secretsKey",
        "must be 32 bytes in base64, as from: openssl rand -base64 32");
    return Key.of(bytes);
  }

  /** By which nodes with other keys are told apart, without a secret. */
  public List<String> ids() {
    return keys.stream().map(Key::id).toList();
  }

  public boolean canSeal() {
    return !keys.isEmpty();
  }

  /** Whether the key that seals now has sealed it. */
  public boolean isCurrent(String sealed) {
    return canSeal() && sealed.startsWith(keys.getFirst().id + ".");
  }

  /**
   * Seals a secret.
   *
   * @param nonce random, of {@value #NONCE_BYTES} bytes
   * @param context to open it, the same must be given
   */
  public String seal(byte[] secret, byte[] nonce, String context) {
    if (keys.isEmpty()) {
      throw new IllegalStateException("there is no key to seal with");
    }
    Key key = keys.getFirst();
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key, nonce, context).doFinal(secret);
      byte[] whole =
          ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed).array();
      return key.id + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Java cannot seal", impossible);
    }
  }

  /** The id of the key that sealed this. */
  public static String keyOf(String sealed) {
    return sealed.substring(0, Math.max(0, sealed.indexOf('.')));
  }

  /** Whether it has the key that sealed this: what it does not open all the same is damaged. */
  public boolean hasKeyOf(String sealed) {
    return keys.stream().anyMatch(key -> key.id.equals(keyOf(sealed)));
  }

  /** The secret; empty if no key of this box sealed it, for that context. */
  public Optional<byte[]> open(String sealed, String context) {
    int dot = sealed.indexOf('.');
    for (Key key : keys) {
      if (dot > 0 && sealed.substring(0, dot).equals(key.id)) {
        return open(key, sealed.substring(dot + 1), context);
      }
    }
    return Optional.empty();
  }

  private static Optional<byte[]> open(Key key, String text, String context) {
    try {
      byte[] whole = Base64.getUrlDecoder().decode(text);
      if (whole.length < NONCE_BYTES) {
        return Optional.empty();
      }
      byte[] nonce = Arrays.copyOf(whole, NONCE_BYTES);
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, nonce, context);
      return Optional.of(cipher.doFinal(whole, NONCE_BYTES, whole.length - NONCE_BYTES));
    } catch (AEADBadTagException | IllegalArgumentException _) {
      return Optional.empty();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("Java cannot open what it sealed", impossible);
    }
  }

  private static Cipher cipher(int mode, Key key, byte[] nonce, String context)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key.secret, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(context.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }
}
