package dev.ebb.core.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.InvalidInput;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretBoxTest {
  private static final byte[] SECRET = "s3cret".getBytes(StandardCharsets.UTF_8);
  private static final byte[] NONCE = new byte[SecretBox.NONCE_BYTES];

  private static String key(int of) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) of);
    return Base64.getEncoder().encodeToString(bytes);
  }

  @Test
  void a_box_opens_what_it_sealed_for_the_same_context_alone() {
    SecretBox box = SecretBox.parse(key(1));

    String sealed = box.seal(SECRET, NONCE, "acme/key_1");

    assertThat(sealed).doesNotContain("s3cret");
    assertThat(box.open(sealed, "acme/key_1")).hasValue(SECRET);
    assertThat(box.open(sealed, "other/key_1")).isEmpty();
    assertThat(SecretBox.parse(key(2)).open(sealed, "acme/key_1")).isEmpty();
  }

  @Test
  void a_new_key_in_front_seals_and_the_old_one_still_opens() {
    String before = SecretBox.parse(key(1)).seal(SECRET, NONCE, "c");
    SecretBox both = SecretBox.parse(key(2) + ", " + key(1));

    String after = both.seal(SECRET, NONCE, "c");

    assertThat(both.open(before, "c")).hasValue(SECRET);
    assertThat(SecretBox.parse(key(2)).open(after, "c")).hasValue(SECRET);
    assertThat(SecretBox.parse(key(2)).open(before, "c")).isEmpty();
  }

  @Test
  void what_was_tampered_with_does_not_open() {
    SecretBox box = SecretBox.parse(key(1));
    String sealed = box.seal(SECRET, NONCE, "c");

    for (int i = 0; i < sealed.length(); i++) {
      char other = sealed.charAt(i) == 'A' ? 'B' : 'A';
      String changed = sealed.substring(0, i) + other + sealed.substring(i + 1);
      // The last character has bits that stand for nothing.
      if (i < sealed.length() - 1) {
        assertThat(box.open(changed, "c")).as(changed).isEmpty();
      }
    }
    assertThat(box.open("", "c")).isEmpty();
    assertThat(box.open(box.ids().getFirst() + ".AA", "c")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "short", "AAAA", "not base64 at all, with spaces"})
  void a_key_that_is_none_is_refused_without_being_told(String text) {
    assertThatThrownBy(() -> SecretBox.parse(text))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("openssl rand -base64 32")
        .hasMessageNotContaining("short");
  }

  @Test
  void a_box_without_keys_seals_nothing() {
    assertThat(SecretBox.NONE.canSeal()).isFalse();
    assertThatThrownBy(() -> SecretBox.NONE.seal(SECRET, NONCE, "c"))
        .isInstanceOf(IllegalStateException.class);
  }
}
