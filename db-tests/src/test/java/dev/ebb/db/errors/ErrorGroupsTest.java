package dev.ebb.db.errors;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.access.Act;
import dev.ebb.core.job.Failure;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.core.operation.JobAction;
import dev.ebb.db.Bench;
import dev.ebb.db.DeadLetters;
import dev.ebb.db.JobChanges;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.action.ActionResult;
import dev.ebb.db.errors.GroupChange.Words;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which dead letters are alike, how many there are, and what people say of them. */
class ErrorGroupsTest {
  private static final GroupChange ACKNOWLEDGED = new GroupChange(true, null, null);

  private Bench bench;
  private ErrorGroups groups;

  @BeforeEach
  void open() {
    bench = new Bench();
    groups = new ErrorGroups(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private UUID die(String reason, String message) throws SQLException {
    UUID id = bench.submit(NewJob.of("echo", "{}"));
    Failure failure = new Failure(reason, message);
    Settlement dead = new Settlement.DeadLetter(Settlement.ATTEMPTS_USED_UP, failure);
    assertThat(bench.settle(bench.claimOne(), new Outcome.Failed(failure), dead)).isTrue();
    return id;
  }

  private ErrorGroupPage page() throws SQLException {
    return groups.page(GroupQuery.ALL, null, 50);
  }

  private List<ErrorGroupView> of(String queue, @Nullable String kind) throws SQLException {
    return groups
        .page(new GroupQuery(GroupBy.ERROR_SUBJECT, queue, kind, null, null), null, 50)
        .groups();
  }

  private ErrorGroupView only() throws SQLException {
    List<ErrorGroupView> all = page().groups();
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  private static List<String> patterns(List<ErrorGroupView> groups) {
    return groups.stream().map(group -> group.pattern().text()).toList();
  }

  @Test
  void dead_letters_whose_failures_are_alike_are_one_group() throws SQLException {
    die("http_500", "order 1 failed");
    UUID second = die("http_500", "order 2 failed");
    die("http_502", "order 2 failed");
    assertThat(page().groups()).isEmpty();
    assertThat(page().ungrouped()).isEqualTo(3);

    assertThat(groups.groupNew()).isFalse();

    ErrorGroupPage page = page();
    assertThat(page.ungrouped()).isZero();
    assertThat(page.groups())
        .extracting(group -> group.pattern().reason())
        .containsExactly("http_500", "http_502");
    ErrorGroupView group = page.groups().getFirst();
    assertThat(group.pattern().text()).isEqualTo("order <number> failed");
    assertThat(group.queue()).isEqualTo(Bench.QUEUE);
    assertThat(group.kind()).isEqualTo("echo");
    assertThat(group.firstSeen()).isBefore(group.lastSeen());
    assertThat(group.samples()).hasSize(2).first().isEqualTo(second);
    assertThat(group.counts().byWindow()).containsExactly(2L, 2L, 2L, 2L, 2L, 2L);
    assertThat(group.counts().exact()).isTrue();
    assertThat(groups.find(group.id())).contains(group);
  }

  @Test
  void queues_and_kinds_have_groups_of_their_own() throws SQLException {
    insert(1, "q1", "a", "no");
    insert(1, "q1", "b", "no");
    insert(1, "q2", "a", "no");
    groups.groupNew();

    assertThat(page().groups()).hasSize(3);
    assertThat(of("q1", null)).hasSize(2);
    assertThat(of("q1", "b"))
        .singleElement()
        .extracting(ErrorGroupView::queue, ErrorGroupView::kind)
        .containsExactly("q1", "b");
    assertThat(of("q3", null)).isEmpty();
  }

  private void insert(int many, String queue, String kind, String failure) {
    DeadLetters.in(queue).kind(kind).failure(failure).store(bench.config, many);
  }

  @Test
  void every_window_counts_those_that_died_in_it() throws SQLException {
    insert(6, "q", "a", "no");
    bench.execute(
        """
        update ebb.dead_letter d
        set died_at = now() - (array['59 min', '61 min', '4 h', '2 d', '6 d', '8 d']::interval[])[n]
        from (select id, row_number() over () as n from ebb.dead_letter) t
        where t.id = d.id
        """);
    groups.groupNew();

    assertThat(only().counts().byWindow()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
  }

  @Test
  void what_is_redriven_leaves_and_may_come_back() throws SQLException {
    UUID id = die("http_500", "order 1 failed");
    groups.groupNew();
    ErrorGroupView before = only();

    assertThat(bench.changes.act(id, new JobAction.Redrive(true, true), Bench.ACT))
        .isEqualTo(ActionResult.DONE);
    assertThat(page().groups()).isEmpty();
    ErrorGroupView empty = groups.find(before.id()).orElseThrow();
    assertThat(empty.counts().byWindow()).containsOnly(0L);
    assertThat(empty.samples()).isEmpty();
    assertThat(bench.deadLetter(bench.claimOne())).isTrue();
    die("http_500", "order 2 failed");
    groups.groupNew();

    assertThat(patterns(page().groups())).containsExactlyInAnyOrder("order <number> failed", "no");
    ErrorGroupView again = groups.find(before.id()).orElseThrow();
    assertThat(again.firstSeen()).isEqualTo(before.firstSeen());
    assertThat(again.lastSeen()).isAfter(before.lastSeen());
  }

  @Test
  void what_somebody_holds_is_grouped_later() throws SQLException {
    UUID held = die("http_500", "a");
    die("http_500", "b");
    try (Connection other = TestPostgres.connect(bench.config)) {
      other.setAutoCommit(false);
      lock(other, "select from ebb.dead_letter where id = '" + held + "' for update");
      groups.groupNew();
      assertThat(patterns(page().groups())).containsExactly("b");
      other.rollback();
    }

    groups.groupNew();

    assertThat(patterns(page().groups())).containsExactlyInAnyOrder("b", "a");
  }

  private static void lock(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void while_one_node_groups_the_others_do_not() throws SQLException {
    die("http_500", "a");
    try (Connection other = TestPostgres.connect(bench.config)) {
      other.setAutoCommit(false);
      lock(other, "select pg_advisory_xact_lock(6644324, 0)");
      assertThat(groups.groupNew()).isFalse();
      groups.forget();
      assertThat(page().ungrouped()).isOne();
    }
  }

  @Test
  void what_a_failure_quoted_of_an_erased_payload_is_in_no_group() throws SQLException {
    String secret = "Ada Lovelace";
    UUID id = die("\"" + secret + "\" is unknown", "no account of '" + secret + "'");
    groups.groupNew();

    assertThat(new JobChanges(bench.database).erase(id, Bench.ACT)).isEqualTo(ActionResult.DONE);

    assertThat(bench.count("ebb.error_group g")).isOne();
    assertThat(bench.count("ebb.error_group g where g::text like '%" + secret + "%'")).isZero();
  }

  @Test
  void beyond_the_bound_what_is_new_is_in_one_group_of_its_queue_and_kind() throws SQLException {
    die("http_500", "known");
    groups.groupNew(new GroupBounds(2, 200));
    insert(1, "q", "a", "sort a");
    insert(1, "q", "a", "sort b");
    insert(1, "q", "a", "sort c");
    die("http_500", "known");
    die("http_500", "newest");

    groups.groupNew(new GroupBounds(2, 200));
    die("http_500", "late");
    groups.groupNew(new GroupBounds(2, 200));

    List<ErrorGroupView> ofQueue = of("q", null);
    assertThat(patterns(ofQueue)).containsExactly("other failures");
    assertThat(ofQueue.getFirst().counts().byWindow().getLast()).isEqualTo(3);
    assertThat(patterns(of(Bench.QUEUE, null)))
        .containsExactlyInAnyOrder("known", "newest", "other failures");
  }

  @Test
  void a_backlog_is_grouped_batch_by_batch() throws SQLException {
    insert(Grouping.BATCH + 1, "q", "a", "order {i}");

    assertThat(groups.groupNew()).isTrue();
    assertThat(page().ungrouped()).isOne();
    assertThat(groups.groupNew()).isFalse();

    assertThat(only().counts().byWindow().getLast()).isEqualTo(Grouping.BATCH + 1L);
  }

  @Test
  void pages_show_every_group_once_the_largest_first() throws SQLException {
    for (int i = 1; i <= 7; i++) {
      insert(i, "q", "a", "sort " + (char) ('a' + i));
    }
    groups.groupNew();

    List<ErrorGroupView> all = new ArrayList<>();
    ErrorGroupPage.Position next = null;
    do {
      ErrorGroupPage page = groups.page(GroupQuery.ALL, next, 3);
      assertThat(page.total()).isEqualTo(7);
      assertThat(page.estimated()).isFalse();
      all.addAll(page.groups());
      next = page.next();
    } while (next != null);

    assertThat(patterns(all))
        .containsExactly("sort h", "sort g", "sort f", "sort e", "sort d", "sort c", "sort b");
  }

  @Test
  void what_dies_between_two_pages_moves_no_group_to_the_page_that_was_read() throws SQLException {
    insert(3, "q", "a", "large");
    insert(2, "q", "a", "middle");
    insert(1, "q", "a", "small");
    groups.groupNew();
    ErrorGroupPage first = groups.page(GroupQuery.ALL, null, 1);

    insert(9, "q", "a", "small");
    groups.groupNew();
    ErrorGroupPage second = groups.page(GroupQuery.ALL, first.next(), 9);

    assertThat(patterns(first.groups())).containsExactly("large");
    assertThat(patterns(second.groups())).containsExactly("middle", "small");
    assertThat(patterns(page().groups())).containsExactly("small", "large", "middle");
  }

  @Test
  void an_acknowledgement_tells_what_died_since() throws SQLException {
    die("http_500", "a");
    groups.groupNew();
    UUID id = only().id();
    Act ada = new Act("ada", null, null, "seen it");

    groups.change(
        id, new GroupChange(true, new Words("ada"), new Words("ask the merchant")), ada, _ -> {});
    ErrorGroupView.Mark mark = only().mark();
    assertThat(requireNonNull(mark.acknowledged()).by()).isEqualTo("ada");
    assertThat(mark.assignee()).isEqualTo("ada");
    assertThat(mark.note()).isEqualTo("ask the merchant");
    assertThat(only().counts().sinceAcknowledged()).isZero();

    die("http_500", "a");
    groups.groupNew();
    assertThat(only().counts().sinceAcknowledged()).isOne();
    assertThat(only().mark()).isEqualTo(mark);

    groups.change(id, ACKNOWLEDGED, ada, _ -> {});
    assertThat(only().counts().sinceAcknowledged()).isZero();
    assertThat(only().mark().note()).isEqualTo("ask the merchant");
    groups.change(id, new GroupChange(false, null, new Words(null)), ada, _ -> {});
    assertThat(only().mark()).isEqualTo(new ErrorGroupView.Mark(id, null, "ada", null));
    assertThat(bench.count("ebb.audit where action = 'error_group.patch' and reason = 'seen it'"))
        .isEqualTo(3);
  }

  @Test
  void a_change_that_its_condition_refuses_is_not_made() throws SQLException {
    die("http_500", "a");
    groups.groupNew();
    UUID id = only().id();

    assertThatThrownBy(() ->
            groups.change(
                id,
                ACKNOWLEDGED,
                Bench.ACT,
                _ -> {
                  throw new IllegalStateException("no");
                }))
        .hasMessage("no");

    assertThat(only().mark().acknowledged()).isNull();
    assertThat(bench.count("ebb.audit")).isZero();
    assertThat(groups.change(UUID.randomUUID(), ACKNOWLEDGED, Bench.ACT, _ -> {})).isEmpty();
  }

  @Test
  void a_group_is_forgotten_when_it_has_had_no_dead_letter_for_a_month() throws SQLException {
    UUID gone = die("http_500", "gone");
    die("http_500", "there");
    groups.groupNew();
    bench.changes.act(gone, new JobAction.Redrive(true, true), Bench.ACT);
    bench.execute("update ebb.error_group set last_seen = now() - interval '29 days'");
    groups.forget();
    assertThat(bench.count("ebb.error_group")).isEqualTo(2);

    bench.execute("update ebb.error_group set last_seen = now() - interval '31 days'");
    groups.forget();

    assertThat(patterns(page().groups())).containsExactly("there");
    assertThat(bench.count("ebb.error_group")).isOne();
  }
}
