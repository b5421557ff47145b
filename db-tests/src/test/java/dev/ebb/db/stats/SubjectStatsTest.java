package dev.ebb.db.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.stats.Proportion;
import dev.ebb.core.stats.SubjectCounts;
import dev.ebb.db.Bench;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What nodes counted by subject: kept for a while, and read as what gets worse. */
class SubjectStatsTest {
  /** One for all rows of a test, during which another may begin. */
  private final Instant minute = Instant.now().truncatedTo(ChronoUnit.MINUTES);

  private Bench bench;
  private SubjectStats stats;

  @BeforeEach
  void open() {
    bench = new Bench();
    stats = new SubjectStats(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static SubjectCounts.Count count(@Nullable String subject, long attempts, long failed) {
    return new SubjectCounts.Count(subject, attempts, failed);
  }

  /** A node's only row of that minute. */
  private void wrote(int minutesAgo, SubjectCounts.Count... counts) throws SQLException {
    stats.write(UUID.randomUUID(), minute.minus(minutesAgo, ChronoUnit.MINUTES), List.of(counts));
  }

  private SubjectTrends worsening() throws SQLException {
    return new SubjectReads(bench.database).worsening(5);
  }

  private List<String> names() throws SQLException {
    return worsening().rising().stream().map(SubjectTrend::subject).toList();
  }

  @Test
  void what_gets_worse_is_what_rises_and_not_what_is_high() throws SQLException {
    wrote(30, count("dead", 500, 500), count("steady", 500, 200), count("risen", 500, 5));
    wrote(30, count("mended", 500, 400), count("risen more", 500, 5));
    wrote(5, count("dead", 100, 100), count("steady", 100, 41), count("risen", 100, 30));
    wrote(5, count("mended", 100, 4), count("risen more", 100, 60));

    assertThat(names()).containsExactly("risen more", "risen");
  }

  @Test
  void small_numbers_do_not_win() throws SQLException {
    wrote(30, count("small", 2, 0), count("large", 500, 5));
    wrote(5, count("small", 1, 1), count("large", 100, 40));

    assertThat(names()).containsExactly("large");
  }

  @Test
  void a_subject_without_attempts_before_is_not_said_to_rise_from_none() throws SQLException {
    wrote(5, count("new", 100, 100));

    assertThat(names()).isEmpty();
  }

  @Test
  void two_nodes_add_up() throws SQLException {
    wrote(30, count("acme", 50, 1));
    wrote(30, count("acme", 70, 2));
    wrote(5, count("acme", 20, 10));
    wrote(5, count("acme", 30, 20));
    wrote(0, count("acme", 1, 1));

    SubjectTrend acme = worsening().rising().getFirst();

    assertThat(acme.before()).isEqualTo(new Proportion(3, 120));
    assertThat(acme.now()).isEqualTo(new Proportion(31, 51));
    assertThat(acme.points())
        .extracting(SubjectTrend.Point::attempts)
        .containsExactly(120L, 50L, 1L);
  }

  @Test
  void what_has_no_place_counts_as_one() throws SQLException {
    wrote(30, count("acme", 50, 1), count(null, 900, 9));
    wrote(5, count("acme", 50, 1), count(null, 300, 60));

    assertThat(worsening().others().before()).isEqualTo(new Proportion(9, 900));
    assertThat(worsening().others().now()).isEqualTo(new Proportion(60, 300));
    assertThat(names()).doesNotContainNull();
  }

  @Test
  void a_minute_that_is_written_again_is_written_over() throws SQLException {
    UUID node = UUID.randomUUID();
    SubjectStats.Minute first = stats.write(node, null, List.of(count("acme", 1, 1)));

    stats.write(node, first.at(), List.of(count("acme", 3, 1)));
    stats.write(node, first.at(), List.of(count("acme", 3, 1)));

    assertThat(bench.count("ebb.subject_stat where attempts = '{3}' and failed = '{1}'")).isOne();
    assertThat(first.left().toSeconds()).isBetween(-60L, 60L);
  }

  @Test
  void nothing_lasts_beyond_two_hours() throws SQLException {
    wrote(121, count("acme", 1, 1));
    // The minute has begun up to a minute ago, and another may begin before the rows are pruned.
    wrote(117, count("acme", 1, 1));

    assertThat(new StatRetention(bench.database).prune()).isFalse();

    assertThat(bench.count("ebb.subject_stat")).isOne();
  }

  @Test
  void nothing_is_said_of_what_was_never_counted() throws SQLException {
    bench.execute("update ebb.settings set subject = 'merchant'");

    SubjectTrends trends = worsening();

    assertThat(trends.label()).isEqualTo("merchant");
    assertThat(trends.rising()).isEmpty();
    assertThat(trends.others().points()).isEmpty();
  }
}
