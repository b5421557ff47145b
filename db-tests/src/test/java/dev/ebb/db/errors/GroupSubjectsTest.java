package dev.ebb.db.errors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.failure.ErrorPattern;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.JobQuery;
import dev.ebb.db.Bench;
import dev.ebb.db.DeadLetters;
import dev.ebb.db.errors.ErrorGroupView.Whose;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose dead letters a group holds, and the rows that groups make together. */
class GroupSubjectsTest {
  private static final GroupBounds TWO_SUBJECTS = new GroupBounds(100, 2);

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

  private void die(int many, @Nullable String merchant, String failure) {
    dieIn("q", many, merchant, failure);
  }

  private void dieIn(String queue, int many, @Nullable String merchant, String failure) {
    DeadLetters.in(queue).merchant(merchant).failure(failure).store(bench.config, many);
  }

  private List<ErrorGroupView> list(GroupBy by) throws SQLException {
    return list(new GroupQuery(by, null, null, null, null));
  }

  private List<ErrorGroupView> list(GroupQuery query) throws SQLException {
    return groups.page(query, null, 50).groups();
  }

  private static List<@Nullable String> subjects(List<ErrorGroupView> rows) {
    return rows.stream().<@Nullable String>map(row -> row.whose().subject()).toList();
  }

  private static List<Long> sizes(List<ErrorGroupView> rows) {
    return rows.stream().map(row -> row.counts().byWindow().getLast()).toList();
  }

  private static List<Integer> held(List<ErrorGroupView> rows) {
    return rows.stream().map(ErrorGroupView::groups).toList();
  }

  /** How many jobs the search for the group, or for the row, finds. */
  private long found(UUID group) throws SQLException {
    return bench.reads.count(JobQuery.read("group:" + group, new FilterBuilder()).build()).count();
  }

  @Test
  void the_dead_letters_of_one_subject_with_one_error_are_one_row() throws SQLException {
    die(500, "bikes-ghent", "no");
    die(300, "acme-rome", "no");
    die(200, "bakery-lyon", "no");
    while (groups.groupNew()) {}

    List<ErrorGroupView> rows = list(GroupBy.ERROR_SUBJECT);

    assertThat(subjects(rows)).containsExactly("bikes-ghent", "acme-rome", "bakery-lyon");
    assertThat(sizes(rows)).containsExactly(500L, 300L, 200L);
    assertThat(found(rows.getFirst().id())).isEqualTo(500);
    assertThat(groups.find(rows.getFirst().id()).orElseThrow().whose())
        .isEqualTo(new Whose("bikes-ghent", false));
  }

  @Test
  void a_subject_is_the_chosen_label_or_else_the_destination_or_none() throws SQLException {
    die(3, "acme", "no");
    DeadLetters.in("q").destination("pay.example").store(bench.config, 2);
    die(1, null, "no");
    groups.groupNew();

    assertThat(subjects(list(GroupBy.ERROR_SUBJECT))).containsExactly("acme", "pay.example", null);
  }

  @Test
  void a_group_keeps_the_subject_that_it_was_made_with() throws SQLException {
    die(1, "acme", "no");
    groups.groupNew();
    bench.execute("update ebb.settings set subject = null");
    die(1, "acme", "no");
    groups.groupNew();

    assertThat(subjects(list(GroupBy.ERROR_SUBJECT))).containsExactlyInAnyOrder("acme", null);
  }

  @Test
  void a_row_by_error_holds_the_groups_of_all_subjects_and_covers_their_jobs_alone()
      throws SQLException {
    die(3, "acme", "no");
    die(2, "bikes", "no");
    die(1, null, "no");
    die(4, "acme", "away");
    groups.groupNew();

    List<ErrorGroupView> rows = list(GroupBy.ERROR);

    assertThat(sizes(rows)).containsExactly(6L, 4L);
    assertThat(held(rows)).containsExactly(3, 1);
    assertThat(subjects(rows)).containsOnlyNulls();
    assertThat(found(rows.getFirst().id())).isEqualTo(6);
    assertThat(found(rows.getLast().id())).isEqualTo(4);
    UUID row = rows.getFirst().id();
    assertThat(subjects(list(new GroupQuery(GroupBy.ERROR_SUBJECT, null, null, null, row))))
        .containsExactly("acme", "bikes", null);
  }

  @Test
  void a_list_of_one_subject_holds_its_groups_alone() throws SQLException {
    die(3, "acme", "no");
    die(2, "acme", "away");
    die(9, "bikes", "no");
    groups.groupNew();

    List<ErrorGroupView> acme =
        list(new GroupQuery(GroupBy.ERROR_SUBJECT, null, null, "acme", null));

    assertThat(sizes(acme)).containsExactly(3L, 2L);
    assertThat(sizes(list(new GroupQuery(GroupBy.ERROR, null, null, "acme", null))))
        .containsExactly(3L, 2L);
    assertThat(list(new GroupQuery(GroupBy.SUBJECT, null, null, "nobody", null))).isEmpty();
  }

  @Test
  void a_row_by_subject_holds_the_groups_of_all_errors_and_covers_their_jobs_alone()
      throws SQLException {
    die(3, "acme", "no");
    die(1, "acme", "away");
    dieIn("other", 2, "acme", "no");
    die(5, "bikes", "no");
    die(1, null, "no");
    groups.groupNew();

    List<ErrorGroupView> rows = list(GroupBy.SUBJECT);

    assertThat(subjects(rows)).containsExactly("acme", "bikes", null);
    assertThat(sizes(rows)).containsExactly(6L, 5L, 1L);
    assertThat(held(rows)).containsExactly(3, 1, 1);
    assertThat(rows.getFirst().pattern().text()).as("of its largest").isEqualTo("no");
    assertThat(found(rows.getFirst().id())).isEqualTo(6);
  }

  @Test
  void the_group_without_a_subject_is_not_the_row_of_its_error() throws SQLException {
    die(1, null, "no");
    die(2, "acme", "no");
    groups.groupNew();
    UUID without = ErrorPattern.of("http_500", "no").group("q", "a");

    assertThat(list(GroupBy.ERROR)).extracting(ErrorGroupView::id).doesNotContain(without);
    assertThat(found(without)).isOne();
  }

  @Test
  void subjects_of_an_error_beyond_the_bound_share_one_group() throws SQLException {
    for (String merchant : List.of("one", "two", "three", "four")) {
      die(2, merchant, "no");
    }
    die(1, "five", "away");

    groups.groupNew(TWO_SUBJECTS);
    die(1, "six", "no");
    groups.groupNew(TWO_SUBJECTS);

    List<ErrorGroupView> rows = list(GroupBy.ERROR_SUBJECT);
    assertThat(rows).hasSize(4);
    assertThat(rows.getFirst().whose()).isEqualTo(new Whose(null, true));
    assertThat(rows.getFirst().pattern().text()).isEqualTo("no");
    assertThat(sizes(rows)).containsExactly(5L, 2L, 2L, 1L);
    assertThat(subjects(rows)).contains("five");
    assertThat(found(rows.getFirst().id())).isEqualTo(5);
  }

  @Test
  void a_subject_without_dead_letters_leaves_its_room_to_others() throws SQLException {
    die(1, "one", "no");
    die(1, "two", "no");
    groups.groupNew(TWO_SUBJECTS);
    bench.execute("delete from ebb.dead_letter where labels ->> 'merchant' = 'one'");

    die(1, "three", "no");
    groups.groupNew(TWO_SUBJECTS);

    assertThat(subjects(list(GroupBy.ERROR_SUBJECT))).containsExactlyInAnyOrder("two", "three");
  }

  @Test
  void a_group_of_a_subject_is_forgotten_after_a_day_unless_somebody_said_something_of_it()
      throws SQLException {
    for (String merchant : List.of("gone", "noted", "there")) {
      die(1, merchant, "no");
    }
    groups.groupNew();
    bench.execute("update ebb.error_group set note = 'at it' where subject = 'noted'");
    bench.execute("delete from ebb.dead_letter where labels ->> 'merchant' <> 'there'");
    bench.execute("update ebb.error_group set last_seen = now() - interval '23 hours'");
    groups.forget();
    assertThat(bench.count("ebb.error_group")).isEqualTo(3);

    bench.execute("update ebb.error_group set last_seen = now() - interval '25 hours'");
    groups.forget();

    assertThat(bench.count("ebb.error_group where subject in ('noted', 'there')")).isEqualTo(2);
    assertThat(bench.count("ebb.error_group")).isEqualTo(2);
  }

  @Test
  void subjects_leave_room_for_new_errors() throws SQLException {
    GroupBounds bounds = new GroupBounds(10, 200);
    for (int i = 0; i < 20; i++) {
      die(1, "merchant " + i, "no");
    }
    groups.groupNew(bounds);
    die(1, null, "away");
    groups.groupNew(bounds);

    assertThat(bench.count("ebb.error_group where subject is not null")).isEqualTo(8);
    assertThat(bench.count("ebb.error_group where other_subjects")).isOne();
    assertThat(bench.count("ebb.error_group where pattern = 'away'")).isOne();
  }

  @Test
  void what_an_older_node_grouped_stays_and_takes_what_has_no_subject() throws SQLException {
    UUID id = ErrorPattern.of("http_500", "no").group("q", "a");
    die(2, "acme", "no");
    bench.execute(
        """
        insert into ebb.error_group (id, queue, kind, reason, pattern, first_seen, last_seen)
        values ('%1$s', 'q', 'a', 'http_500', 'no', now(), now());
        update ebb.dead_letter set error_group = '%1$s'
        """
            .formatted(id));
    die(3, "acme", "no");
    die(1, null, "no");
    groups.groupNew();

    List<ErrorGroupView> rows = list(GroupBy.ERROR);

    assertThat(sizes(rows)).containsExactly(6L);
    assertThat(held(rows)).containsExactly(2);
    assertThat(found(rows.getFirst().id())).isEqualTo(6);
    assertThat(found(id)).isEqualTo(3);
  }

  @Test
  void queue_and_kind_narrow_the_rows() throws SQLException {
    die(3, "acme", "no");
    dieIn("other", 2, "acme", "no");
    groups.groupNew();

    assertThat(sizes(list(new GroupQuery(GroupBy.SUBJECT, "other", null, null, null))))
        .containsExactly(2L);
    assertThat(list(new GroupQuery(GroupBy.SUBJECT, null, "b", null, null))).isEmpty();
  }

  @Test
  void a_destinations_groups_are_one_row_whatever_their_errors_and_subjects() throws SQLException {
    bench.execute(
        """
        insert into ebb.queue (name, destination)
        select name, '{"url": "https://merchant.example/"}' from unnest(array['d1', 'd2']) name
        """);
    dieIn("d1", 3, "bikes-ghent", "no");
    dieIn("d1", 2, "acme-rome", "no");
    dieIn("d1", 4, null, "the shop is closed");
    dieIn("d2", 5, "bikes-ghent", "no");
    dieIn("plain", 9, "bikes-ghent", "no");
    while (groups.groupNew()) {}

    List<ErrorGroupView> rows = list(GroupBy.DESTINATION);

    assertThat(rows).extracting(ErrorGroupView::queue).containsExactly("d1", "d2");
    assertThat(sizes(rows)).containsExactly(9L, 5L);
    assertThat(held(rows)).containsExactly(3, 1);
    UUID d1 = rows.getFirst().id();
    assertThat(found(d1)).as("jobs of the row").isEqualTo(9);
    assertThat(sizes(list(new GroupQuery(GroupBy.ERROR_SUBJECT, null, null, null, d1))))
        .as("groups of the row")
        .containsExactly(4L, 3L, 2L);
  }
}
