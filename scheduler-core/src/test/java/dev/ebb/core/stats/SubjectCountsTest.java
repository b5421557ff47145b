package dev.ebb.core.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Attempts by subject, of which only so many have a place. */
class SubjectCountsTest {
  private final SubjectCounts counts = new SubjectCounts();

  private SubjectCounts.Count of(String subject) {
    return counts.counts().stream()
        .filter(count -> subject.equals(count.subject()))
        .findAny()
        .orElseThrow();
  }

  @Test
  void few_subjects_are_counted_exactly_and_have_no_others() {
    for (int i = 0; i < 3 * SubjectCounts.MOST; i++) {
      counts.add("m" + i % SubjectCounts.MOST, i % 3 == 0);
    }

    assertThat(counts.counts()).hasSize(SubjectCounts.MOST);
    assertThat(of("m0")).isEqualTo(new SubjectCounts.Count("m0", 3, 1));
  }

  @Test
  void ten_thousand_subjects_take_no_more_places_and_what_has_none_counts_as_one() {
    for (int i = 0; i < 20_000; i++) {
      counts.add("m" + i % 10_000, i % 10 == 0);
    }

    List<SubjectCounts.Count> all = counts.counts();
    assertThat(all).hasSize(SubjectCounts.MOST + 1);
    assertThat(all.getLast().subject()).isNull();
    assertThat(all.stream().mapToLong(SubjectCounts.Count::attempts).sum()).isEqualTo(20_000);
    assertThat(all.stream().mapToLong(SubjectCounts.Count::failed).sum()).isEqualTo(2_000);
  }

  @Test
  void what_fails_often_keeps_its_place_among_ten_thousand_rare_ones() {
    for (int i = 0; i < 10_000; i++) {
      counts.add("rare" + i, false);
      if (i % 100 == 0) {
        counts.add("failing", true);
      }
    }

    assertThat(counts.counts().getFirst()).isEqualTo(new SubjectCounts.Count("failing", 100, 100));
  }

  /** Its counts before it fails are what its share is compared with. */
  @Test
  void what_has_many_attempts_keeps_its_place_before_it_fails() {
    for (int i = 0; i < 10_000; i++) {
      counts.add("rare" + i, false);
      if (i % 20 == 0) {
        counts.add("large", false);
      }
    }

    assertThat(of("large").attempts()).isEqualTo(500);
  }
}
