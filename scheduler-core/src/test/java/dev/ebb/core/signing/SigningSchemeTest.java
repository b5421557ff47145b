package dev.ebb.core.signing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SigningSchemeTest {
  /** The example of the specification of Standard Webhooks. */
  @Test
  void an_hmac_is_that_of_the_specifications_example() {
    byte[] secret = Base64.getDecoder().decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

    assertThat(Requests.signature(SigningScheme.V1, secret))
        .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @ParameterizedTest
  @EnumSource
  void every_scheme_signs_with_its_random_keys_and_no_two_are_alike(SigningScheme scheme) {
    NewKey key = scheme.random(new SecureRandom());
    NewKey other = scheme.random(new SecureRandom());

    Map<String, String> headers = Requests.headers(scheme, key.secret());

    assertThat(Requests.headers(scheme, other.secret())).isNotEqualTo(headers);
    assertThat(SigningScheme.named(scheme.word())).contains(scheme);
    assertThat((key.shown() == null) != (key.publicKey() == null))
        .as("the receiver gets either")
        .isTrue();
  }

  @Test
  void an_ed25519_signature_is_verified_by_the_public_key() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    byte[] secret = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();

    String signature = Requests.signature(SigningScheme.V1A, secret);

    assertThat(signature).startsWith("v1a,");
    Signature verifier = Signature.getInstance("Ed25519");
    verifier.initVerify(pair.getPublic());
    verifier.update((Requests.ID + "." + Requests.AT + "." + Requests.BODY).getBytes(UTF_8));
    assertThat(verifier.verify(Base64.getDecoder().decode(signature.substring("v1a,".length()))))
        .isTrue();
  }
}
