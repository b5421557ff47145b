package dev.ebb.app.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.contract.SignedExport;
import dev.ebb.core.signing.Dsse;
import dev.ebb.core.signing.NewKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class VerifyCommandTest {
  private static final String EXPORT =
      """
      {"exportedAt":"2027-01-31T17:38:46.25Z","exportedBy":"Ada","cluster":"4f1c09ab",
      "masked":["secrets","payload"],"erasedAt":"2027-01-31T18:00:00Z","attemptsGone":2,
      "job":{"id":"019f2b1e-7c00-7a10-8000-5d2b8f1c0e11","state":"dead_letter","attempt":3,
      "maxAttempts":5},"attempts":{"items":[{"number":3}],"nextCursor":"17",
      "goneBefore":"2027-01-24T00:00:00Z"},
      "audit":{"items":[]}}
      """;

  @TempDir private Path folder;

  private final NewKey key = Dsse.random(new SecureRandom());
  private Path file = Path.of("");
  private Path keys = Path.of("");

  @BeforeEach
  void write() throws IOException {
    keys = Files.writeString(folder.resolve("key.pem"), pem(key));
    file = folder.resolve("job.json");
    Files.write(file, envelope(SignedExport.TYPE, EXPORT.getBytes(StandardCharsets.UTF_8)));
  }

  private static String pem(NewKey key) {
    return Objects.requireNonNull(key.publicKey());
  }

  private byte[] envelope(String type, byte[] payload) {
    Base64.Encoder base64 = Base64.getEncoder();
    String sig = base64.encodeToString(Dsse.sign(key.secret(), type, payload));
    String id = Dsse.id(Dsse.publicKey(pem(key)));
    return JsonMapper.shared()
        .writeValueAsBytes(
            new SignedExport(
                base64.encodeToString(payload),
                type,
                List.of(new SignedExport.Signature(id, sig))));
  }

  private String told() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    VerifyCommand.run(
        List.of(file.toString(), "--key", keys.toString()),
        new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  private String refused() {
    CannotStart refused = catchThrowableOfType(CannotStart.class, this::told);
    assertThat(refused.exitCode()).isEqualTo(CannotStart.UNABLE);
    return refused.sentence();
  }

  @Test
  void a_file_that_nobody_changed_is_verified_and_says_what_it_leaves_out() {
    assertThat(told())
        .contains(
            "not a byte was changed",
            "at 2027-01-31T17:38:46.25Z",
            "does not prove",
            "3 of 5, 1 of them",
            "dead_letter",
            "secret; payload, and what attempts sent and got",
            "erased ",
            "records of 2 attempts",
            "later attempts are in the file of the next export");
  }

  @Test
  void the_answer_of_the_api_with_several_keys_will_do_as_well() throws IOException {
    String other = pem(Dsse.random(new SecureRandom()));
    keys = folder.resolve("keys.json");
    Files.write(
        keys,
        JsonMapper.shared()
            .writeValueAsBytes(
                Map.of(
                    "items", List.of(Map.of("publicKey", other), Map.of("publicKey", pem(key))))));

    assertThat(told()).startsWith("Verified");
  }

  @Test
  void each_changed_byte_of_the_file_is_found() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    int keyid = new String(whole, StandardCharsets.UTF_8).indexOf("keyid") + 8;
    int found = 0;
    for (int at = 0; at < whole.length; at++) {
      // The id of the key is a hint, which is not signed, and is not believed either.
      if (at >= keyid && at < keyid + 64) {
        continue;
      }
      byte[] changed = whole.clone();
      changed[at] ^= 1;
      Files.write(file, changed);
      assertThat(catchThrowableOfType(CannotStart.class, this::told))
          .as("byte %s: %s", at, new String(changed, StandardCharsets.ISO_8859_1))
          .isNotNull();
      found++;
    }
    assertThat(found).isGreaterThan(500);
  }

  @Test
  void a_change_is_told_as_one() throws IOException {
    String text = Files.readString(file);
    String sig = JsonMapper.shared().readTree(text).at("/signatures/0/sig").asString();
    Files.writeString(file, text.replace(sig, Base64.getEncoder().encodeToString(new byte[64])));

    assertThat(refused()).contains("changed after it was signed", "Nothing in it is proven.");
  }

  @Test
  void a_key_of_another_cluster_is_refused() throws IOException {
    Files.writeString(keys, pem(Dsse.random(new SecureRandom())));

    assertThat(refused())
        .contains("None of the given keys", "another cluster", "Nothing in it is proven.");
  }

  @Test
  void what_the_key_signed_for_another_purpose_is_no_export() throws IOException {
    Files.write(file, envelope("text/plain", EXPORT.getBytes(StandardCharsets.UTF_8)));

    assertThat(refused()).contains("is no export of a job");
  }

  @Test
  void what_is_no_export_or_no_key_is_refused_in_a_sentence() throws IOException {
    Files.writeString(keys, "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n");
    assertThat(refused()).contains("has no public key of Ed25519");
    Files.writeString(keys, pem(key));
    for (String text : List.of("", "{}", "[]", "null", "{\"payload\":null}", "\u0000")) {
      Files.writeString(file, text);
      assertThat(refused()).as(text).contains("is not the signed export of a job");
    }
    file = folder.resolve("missing");
    assertThat(refused()).contains("cannot be read");
  }

  @Test
  void without_a_key_nothing_is_verified() {
    CannotStart refused =
        catchThrowableOfType(
            CannotStart.class,
            () -> VerifyCommand.run(List.of(file.toString()), new PrintStream(System.err)));

    assertThat(refused.exitCode()).isEqualTo(CannotStart.WRONG_USE);
    assertThat(refused.sentence()).contains("--key KEYS");
  }
}
