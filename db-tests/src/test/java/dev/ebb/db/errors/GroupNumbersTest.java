package dev.ebb.db.errors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Bench;
import dev.ebb.db.DeadLetters;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The numbers of the last hour, and those of pages between which dead letters are grouped. */
class GroupNumbersTest {
  private Bench bench;
  private ErrorGroups groups;

  @BeforeEach
  void open() throws SQLException {
    bench = new Bench();
    groups = new ErrorGroups(bench.database);
    bench.execute("update ebb.settings set subject = 'merchant'");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void die(int many, String merchant, String failure) {
    DeadLetters.in("q").merchant(merchant).failure(failure).store(bench.config, many);
  }

  private static List<@Nullable String> subjects(ErrorGroupPage page) {
    return page.groups().stream().<@Nullable String>map(row -> row.whose().subject()).toList();
  }

  @Test
  void the_last_hour_counts_the_dead_letters_of_every_subject() throws SQLException {
    for (int i = 0; i < 120; i++) {
      die(1, "merchant " + i, "no");
    }
    die(5, "old", "away");
    bench.execute(
        "update ebb.dead_letter set died_at = now() - interval '61 minutes'"
            + " where failure = 'away'");
    die(2, "old", "away");
    die(130, "acme", "no");
    while (groups.groupNew()) {}

    assertThat(groups.lastHour()).isEqualTo(new DeadHour(252, false, 2, "acme", 130));
    assertThat(groups.lastHour(252).cut()).isFalse();
    DeadHour cut = groups.lastHour(251);
    assertThat(cut.cut()).isTrue();
    assertThat(cut.dead()).isEqualTo(251);
  }

  @Test
  void an_hour_in_which_nothing_died_is_empty() throws SQLException {
    assertThat(groups.lastHour()).isEqualTo(new DeadHour(0, false, 0, null, 0));
  }

  @Test
  void what_is_grouped_after_the_first_page_hides_no_row_of_a_later_page() throws SQLException {
    GroupRows.Bounds four = new GroupRows.Bounds(1, 4);
    die(3, "acme", "no");
    die(1, "bikes", "no");
    groups.groupNew();
    die(4, "cakes", "no");
    ErrorGroupPage first = groups.page(GroupQuery.ALL, null, four);
    groups.groupNew();

    ErrorGroupPage second = groups.page(GroupQuery.ALL, first.next(), four);

    assertThat(subjects(first)).containsExactly("acme");
    assertThat(first.ungrouped()).isEqualTo(4);
    assertThat(subjects(second)).containsExactly("bikes");
    assertThat(second.estimated()).isFalse();
  }

  @Test
  void a_later_page_says_that_it_estimates_once_too_many_are_grouped() throws SQLException {
    GroupRows.Bounds four = new GroupRows.Bounds(1, 4);
    die(3, "acme", "no");
    die(1, "bikes", "no");
    groups.groupNew();
    die(5, "cakes", "no");
    ErrorGroupPage first = groups.page(GroupQuery.ALL, null, four);
    groups.groupNew();

    ErrorGroupPage second = groups.page(GroupQuery.ALL, first.next(), four);

    assertThat(first.estimated()).isFalse();
    assertThat(second.estimated()).isTrue();
    assertThat(subjects(second)).containsExactly("bikes");
  }
}
