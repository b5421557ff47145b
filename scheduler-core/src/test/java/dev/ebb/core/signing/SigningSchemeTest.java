package dev.ebb.core.signing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SigningSchemeTest {
  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  private static final long AT = 1_614_265_330;
  private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(UTF_8);

  /** The example of the specification of Standard Webhooks. */
  @Test
  void an_hmac_is_that_of_the_specifications_example() {
    byte[] secret = Base64.getDecoder().decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

    assertThat(SigningScheme.V1.signature(secret, ID, AT, BODY))
        .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @ParameterizedTest
  @EnumSource
  void every_scheme_signs_with_its_random_keys_and_no_two_are_alike(SigningScheme scheme) {
    NewKey key = scheme.random(new SecureRandom());
    NewKey other = scheme.random(new SecureRandom());

    String signature = scheme.signature(key.secret(), ID, AT, BODY);

    assertThat(signature).startsWith(scheme.word() + ",");
    assertThat(scheme.signature(other.secret(), ID, AT, BODY)).isNotEqualTo(signature);
    assertThat(SigningScheme.named(scheme.word())).contains(scheme);
    assertThat((key.shown() == null) != (key.publicKey() == null))
        .as("the receiver gets either")
        .isTrue();
  }

  @Test
  void an_ed25519_signature_is_verified_by_the_public_key() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    byte[] secret = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();

    String signature = SigningScheme.V1A.signature(secret, ID, AT, BODY);

    assertThat(signature).startsWith("v1a,");
    Signature verifier = Signature.getInstance("Ed25519");
    verifier.initVerify(pair.getPublic());
    verifier.update((ID + "." + AT + "." + new String(BODY, UTF_8)).getBytes(UTF_8));
    assertThat(verifier.verify(Base64.getDecoder().decode(signature.substring("v1a,".length()))))
        .isTrue();
  }
}
