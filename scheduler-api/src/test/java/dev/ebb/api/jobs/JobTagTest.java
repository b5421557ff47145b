package dev.ebb.api.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JobTagTest {
  private static final JobTag TAG = tag("{\"a\":1}");

  private static JobTag tag(String answer) {
    return JobTag.of(answer.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void the_same_bytes_have_the_same_tag_and_others_another() {
    assertThat(TAG.text()).matches("\"[0-9a-f]{32}\"");
    assertThat(tag("{\"a\":1}")).isEqualTo(TAG);
    assertThat(tag("{\"a\":2}")).isNotEqualTo(TAG);
  }

  @Test
  void a_tag_is_found_among_others() {
    String among = "\"x\", W/\"y\" ," + TAG.text();

    assertThat(TAG.isKnown(among)).isTrue();
    assertThat(TAG.isMeant(among)).isTrue();
    assertThat(TAG.isKnown("*")).isTrue();
    assertThat(TAG.isMeant(" * ")).isTrue();
    assertThat(TAG.isKnown("\"x\"")).isFalse();
    assertThat(TAG.isMeant(TAG.text().replace("\"", ""))).isFalse();
    assertThat(TAG.isKnown(null)).isFalse();
  }

  @Test
  void a_weak_tag_spares_an_answer_and_allows_no_write() {
    assertThat(TAG.isKnown("W/" + TAG.text())).isTrue();
    assertThat(TAG.isMeant("W/" + TAG.text())).isFalse();
  }
}
