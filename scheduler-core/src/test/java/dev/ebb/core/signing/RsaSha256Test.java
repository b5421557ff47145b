package dev.ebb.core.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.Sha256;
import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RsaSha256Test {
  private static KeyPair pair;

  @BeforeAll
  static void make() throws Exception {
    pair = pair("RSA", 2048);
  }

  private static KeyPair pair(String algorithm, int bits) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    generator.initialize(bits);
    return generator.generateKeyPair();
  }

  private static String pem(String label, byte[] bytes) {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\r', '\n'}).encodeToString(bytes);
    return "-----BEGIN " + label + "-----\r\n" + lines + "\r\n-----END " + label + "-----\r\n";
  }

  private static NewKey given(String text) {
    return SigningScheme.RSA.given(text, null);
  }

  /** Computed by the formula of RFC 8017, section 8.2, instead of by the class that signs. */
  @Test
  void a_signature_is_the_padded_hash_of_what_every_scheme_signs() {
    NewKey key = given(pem("PRIVATE KEY", pair.getPrivate().getEncoded()));

    String signature = Requests.signature(SigningScheme.RSA, key.secret());

    RSAPublicKey open = (RSAPublicKey) pair.getPublic();
    byte[] bytes = Base64.getDecoder().decode(signature.substring("rsa,".length()));
    BigInteger padded =
        new BigInteger(1, bytes).modPow(open.getPublicExponent(), open.getModulus());
    byte[] hash = Sha256.of(Requests.ID + "." + Requests.AT + "." + Requests.BODY);
    String expected =
        "01"
            + "ff".repeat(256 - 3 - 51)
            + "00"
            + "3031300d060960864801650304020105000420"
            + HexFormat.of().formatHex(hash);
    assertThat(HexFormat.of().formatHex(padded.toByteArray())).isEqualTo(expected);
  }

  @Test
  void a_given_private_key_yields_the_public_one_and_is_not_shown() {
    String base64 = Base64.getEncoder().encodeToString(pair.getPrivate().getEncoded());

    for (String text :
        new String[] {
          base64, pem("PRIVATE KEY", pair.getPrivate().getEncoded()), "\n" + base64 + " \n"
        }) {
      NewKey key = given(text);

      assertThat(key.secret()).isEqualTo(pair.getPrivate().getEncoded());
      assertThat(key.publicKey())
          .isEqualToNormalizingNewlines(pem("PUBLIC KEY", pair.getPublic().getEncoded()));
      assertThat(key.shown()).isNull();
    }
  }

  @Test
  void what_is_no_rsa_key_that_can_be_used_is_refused_without_a_part_of_it() throws Exception {
    byte[] key = pair.getPrivate().getEncoded();
    refused(pem("PRIVATE KEY", pair("RSA", 1024).getPrivate().getEncoded()), "2048 to 4096 bits");
    refused(pem("PRIVATE KEY", pair("EC", 256).getPrivate().getEncoded()), "must be an RSA key");
    refused(pem("PRIVATE KEY", pair.getPublic().getEncoded()), "must be an RSA key");
    for (String label :
        new String[] {"ENCRYPTED PRIVATE KEY", "RSA PRIVATE KEY", "PUBLIC KEY", "CERTIFICATE"}) {
      refused(pem(label, key), "openssl pkcs8 -topk8 -nocrypt");
    }
    refused(pem("PRIVATE KEY", key) + pem("PRIVATE KEY", key), "must be PEM or base64");
    refused("no base64!", "must be PEM or base64");
    refused("", "must be an RSA key");
    refused("A".repeat(8193), "at most 8192 characters");
    assertThatThrownBy(() -> SigningScheme.RSA.given(pem("PRIVATE KEY", key), SecretEncoding.HEX))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("encoding");
  }

  @Test
  void a_key_whose_parts_do_not_fit_is_refused_before_a_signature_gives_it_away() throws Exception {
    RSAPrivateCrtKey good = (RSAPrivateCrtKey) pair.getPrivate();
    BigInteger two = BigInteger.TWO;
    Stream<RSAPrivateCrtKeySpec> broken =
        Stream.of(
            spec(good, good.getPrimeP().add(two), good.getPrimeExponentP()),
            spec(good, good.getPrimeP(), good.getPrimeExponentP().add(two)));
    for (RSAPrivateCrtKeySpec spec : broken.toList()) {
      byte[] key = KeyFactory.getInstance("RSA").generatePrivate(spec).getEncoded();
      refused(pem("PRIVATE KEY", key), "must be");
    }
  }

  private static RSAPrivateCrtKeySpec spec(
      RSAPrivateCrtKey key, BigInteger primeP, BigInteger exponentP) {
    return new RSAPrivateCrtKeySpec(
        key.getModulus(),
        key.getPublicExponent(),
        key.getPrivateExponent(),
        primeP,
        key.getPrimeQ(),
        exponentP,
        key.getPrimeExponentQ(),
        key.getCrtCoefficient());
  }

  private static void refused(String text, String rule) {
    assertThatThrownBy(() -> given(text))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(rule)
        .satisfies(thrown -> assertThat(((InvalidInput) thrown).field()).isEqualTo("secret"))
        .hasNoCause();
  }
}
