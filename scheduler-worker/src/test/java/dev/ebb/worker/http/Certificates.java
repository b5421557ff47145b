package dev.ebb.worker.http;

import dev.ebb.core.Pem;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Authorities and merchants of merchant.example, made by the JDK's keytool. */
final class Certificates {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private static @Nullable Certificates made;

  private final Path file;
  private final KeyStore keys;

  /** Those of all tests: each takes a process of its own to make. */
  static synchronized Certificates all() throws Exception {
    if (made == null) {
      made = new Certificates(Files.createTempDirectory("certificates"));
    }
    return made;
  }

  private Certificates(Path directory) throws Exception {
    file = directory.resolve("keys.p12");
    List<String> authority = List.of("-ext", "bc:c=ca:true");
    List<String> over = List.of("-startdate", "-9d", "-validity", "5");
    make("root", "", authority);
    make("between", "root", authority);
    make("between-over", "root", authority, over);
    make("stranger", "", authority);
    make("good", "between");
    make("behind-over", "between-over");
    make("over", "root", over);
    make("to-come", "root", List.of("-startdate", "+2d"));
    make("client", "root", List.of("-ext", "eku=clientAuth"));
    make("strange", "stranger");
    make("another-client", "root");
    make("rsa-client", "root", List.of("-keyalg", "RSA"));
    make("alone", "");
    keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    Files.delete(file);
    Files.delete(directory);
  }

  @SafeVarargs
  private void make(String alias, String signer, List<String>... more) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", alias, "-keyalg", "EC", "-validity", "8"));
    command.addAll(
        List.of(
            "-dname", "CN=" + alias, "-ext", "SAN=dns:merchant.example,dns:xn--bcher-kva.example"));
    command.addAll(List.of("-storetype", "PKCS12", "-keystore", file.toString()));
    command.addAll(List.of("-storepass", new String(PASSWORD)));
    if (!signer.isEmpty()) {
      command.addAll(List.of("-signer", signer));
    }
    for (List<String> options : more) {
      command.addAll(options);
    }
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    byte[] said = keytool.getInputStream().readAllBytes();
    if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
      throw new AssertionError(new String(said, StandardCharsets.UTF_8));
    }
  }

  Certificate certificate(String alias) throws Exception {
    return keys.getCertificate(alias);
  }

  /** For deliveries that trust the root. */
  SSLContext trusting() throws Exception {
    KeyStore authorities = KeyStore.getInstance("PKCS12");
    authorities.load(null, null);
    authorities.setCertificateEntry("root", keys.getCertificate("root"));
    return DeliveryTls.context(authorities);
  }

  /** For a merchant that shows this certificate, and so many of the chain from there on. */
  SSLContext showing(String alias, int length) throws Exception {
    Certificate[] chain = keys.getCertificateChain(alias);
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    own.setKeyEntry(
        alias,
        keys.getKey(alias, PASSWORD),
        PASSWORD,
        Arrays.copyOf(chain, Math.min(length, chain.length)));
    var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(own, PASSWORD);
    SSLContext merchant = SSLContext.getInstance("TLS");
    merchant.init(managers.getKeyManagers(), null, null);
    return merchant;
  }

  /** That one and its issuers, as PEM. */
  String pem(String alias) throws Exception {
    StringBuilder pem = new StringBuilder();
    for (Certificate one : keys.getCertificateChain(alias)) {
      pem.append(Pem.ofCertificate((X509Certificate) one));
    }
    return pem.toString();
  }

  /** Its private key, in PKCS #8. */
  byte[] key(String alias) throws Exception {
    return keys.getKey(alias, PASSWORD).getEncoded();
  }

  /** For a merchant that shows "good", and takes clients that the root vouches for. */
  SSLContext takingClients() throws Exception {
    var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    Key key = keys.getKey("good", PASSWORD);
    own.setKeyEntry("good", key, PASSWORD, keys.getCertificateChain("good"));
    managers.init(own, PASSWORD);
    KeyStore authorities = KeyStore.getInstance("PKCS12");
    authorities.load(null, null);
    authorities.setCertificateEntry("root", keys.getCertificate("root"));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(authorities);
    SSLContext merchant = SSLContext.getInstance("TLS");
    merchant.init(managers.getKeyManagers(), trust.getTrustManagers(), null);
    return merchant;
  }
}
