package dev.ebb.core.signing;

import dev.ebb.core.InvalidInput;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Ed25519 with a private key of 32 bytes, of which the receiver has the public one. */
final class Ed25519 implements Algorithm {
  private static final String NAME = "Ed25519";
  private static final int BYTES = 32;

  @Override
  public byte[] sign(byte[] secret, byte[] content) throws GeneralSecurityException {
    Signature signature = Signature.getInstance(NAME);
    signature.initSign(
        KeyFactory.getInstance(NAME)
            .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, secret)));
    signature.update(content);
    return signature.sign();
  }

  @Override
  public NewKey random(SecureRandom random) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(NAME);
    generator.initialize(NamedParameterSpec.ED25519, random);
    KeyPair pair = generator.generateKeyPair();
    byte[] secret = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
    // The last bytes of the X.509 form are the key itself (RFC 8410).
    byte[] encoded = pair.getPublic().getEncoded();
    byte[] key = Arrays.copyOfRange(encoded, encoded.length - BYTES, encoded.length);
    return NewKey.ofPair(secret, "whpk_" + Base64.getEncoder().encodeToString(key));
  }

  @Override
  public NewKey given(String text, @Nullable SecretEncoding encoding) {
    throw new InvalidInput("secret", "must be absent with v1a");
  }
}
