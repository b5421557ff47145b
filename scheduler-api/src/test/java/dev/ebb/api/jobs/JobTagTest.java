package dev.ebb.api.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.http.Conditions;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobTagTest {
  private static final String TAG = "\"7.abc\"";

  private static Conditions match(String... tags) {
    return new Conditions(Set.of(tags), null);
  }

  private static Conditions known(@Nullable Set<String> tags) {
    return new Conditions(null, tags);
  }

  @Test
  void a_job_is_meant_by_every_tag_of_its_version_and_by_no_other() {
    assertThat(JobTag.isMeant(match("\"x\"", TAG), 7)).isTrue();
    assertThat(JobTag.isMeant(match("\"7.another\""), 7)).isTrue();
    assertThat(JobTag.isMeant(match("*"), 7)).isTrue();
    assertThat(JobTag.isMeant(match(TAG), 8)).isFalse();
    assertThat(JobTag.isMeant(match("\"77.abc\""), 7)).isFalse();
    assertThat(JobTag.isMeant(known(Set.of(TAG)), 7)).isFalse();
  }

  @Test
  void a_weak_tag_spares_an_answer_and_allows_no_write() {
    assertThat(known(Set.of("W/" + TAG)).isKnown(TAG)).isTrue();
    assertThat(JobTag.isMeant(match("W/" + TAG), 7)).isFalse();
  }

  @Test
  void an_answer_is_known_by_its_own_tag_alone() {
    assertThat(known(Set.of("\"x\"", TAG)).isKnown(TAG)).isTrue();
    assertThat(known(Set.of("*")).isKnown(TAG)).isTrue();
    assertThat(known(Set.of("\"7.another\"")).isKnown(TAG)).isFalse();
    assertThat(known(null).isKnown(TAG)).isFalse();
  }
}
