package dev.ebb.db.errors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.db.Bench;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What groups cost among 100,000 dead letters, by PostgreSQL's own counts of blocks. */
class GroupCostTest {
  private static final int FEW = 20_000;
  private static final int ALL = 100_000;

  /** Half of the dead letters are in one group, the others in this many. */
  private static final int GROUPS = 2_000;

  private static Bench bench;
  private static ErrorGroups groups;
  private static long groupingBefore;

  @BeforeAll
  static void fill() throws SQLException {
    bench = new Bench();
    groups = new ErrorGroups(bench.database);
    bench.countBlocks();
    bench.execute(
        """
        insert into ebb.queue (name, destination)
        values ('q', '{"url": "https://merchant.example/"}')
        """);
    groups.groupNew();
    assertThat(groups.page(GroupQuery.ALL, null, 50).groups()).isEmpty();
    insert(FEW);
    groupingBefore = groupingBlocks();
    insert(ALL - FEW);
  }

  @AfterAll
  static void close() {
    bench.close();
  }

  /** As they are after they were grouped. */
  private static void insert(int many) throws SQLException {
    bench.execute(
        """
        insert into ebb.error_group
        select
          ('00000000-0000-8000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'q', 'a', 'http_500',
          'sort ' || i, now() - i * interval '1 minute', now() - i * interval '1 minute'
        from generate_series(0, %2$s) i
        on conflict do nothing;
        insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node, run_at,
          created_at, version, attempt, max_attempts, priority, queue, kind, payload, died_at,
          error_group)
        select uuidv7(), 'r', 'http_500', 'no', now(), 'n', now(), now(), 1, 3, 3, 5, 'q', 'a',
          '{"order":1}', now() - (i %% 10) * interval '20 hours',
          ('00000000-0000-8000-8000-'
            || lpad(to_hex(case i %% 2 when 0 then 0 else i %% %2$s end), 12, '0'))::uuid
        from generate_series(1, %1$s) i;
        """
            .formatted(many, GROUPS));
    bench.execute("vacuum analyze ebb.dead_letter, ebb.error_group");
  }

  private static long pageBlocks(GroupBy by, int counted) throws SQLException {
    // Another test's updates, vacuumed or not yet, are no part of a page's cost.
    bench.execute("vacuum ebb.dead_letter, ebb.error_group");
    bench.resetBlocks();
    GroupQuery query = new GroupQuery(by, null, null, null, null);
    assertThat(groups.page(query, null, new GroupRows.Bounds(50, counted)).groups()).isNotEmpty();
    return bench.blocks("%numbered as%")
        + bench.blocks("%counted as%")
        + bench.blocks("%as ungrouped%");
  }

  /** Of a batch whose failures are all new. */
  private static long groupingBlocks() throws SQLException {
    bench.execute(
        """
        with picked as (select id from ebb.dead_letter order by id desc limit %s)
        update ebb.dead_letter
        set error_group = null, failure = translate(id::text, '0123456789-', 'ghijklmnopq')
        where id in (select id from picked)
        """
            .formatted(Grouping.BATCH));
    bench.resetBlocks();
    long before = bench.count("ebb.error_group");
    assertThat(groups.groupNew()).isTrue();
    assertThat(bench.count("ebb.error_group")).isEqualTo(before + Grouping.BATCH);
    long blocks = bench.blocks("%from ebb.dead_letter%") + bench.blocks("%into ebb.error_group%");
    bench.execute("update ebb.error_group set last_seen = '2020-01-01' where pattern !~ '^sort'");
    return blocks;
  }

  private static UUID group(int number) {
    return UUID.fromString(String.format(Locale.ROOT, "00000000-0000-8000-8000-%012x", number));
  }

  @ParameterizedTest
  @EnumSource
  void a_page_reads_a_bounded_number_of_blocks(GroupBy by) throws SQLException {
    // It reads an index of 100,000, and 2,000 groups.
    assertThat(pageBlocks(by, GroupRows.COUNTED)).isPositive().isLessThan(5_000);
  }

  @ParameterizedTest
  @EnumSource
  void a_page_of_more_than_are_counted_reads_a_sample(GroupBy by) throws SQLException {
    // It looks whether each group has any, and counts 50 times 1,000 entries of an index.
    assertThat(pageBlocks(by, FEW)).isPositive().isLessThan(15_000);
  }

  @Test
  void estimated_sizes_keep_the_order_from_page_to_page() throws SQLException {
    List<UUID> seen = new ArrayList<>();
    ErrorGroupPage.Position next = null;
    do {
      ErrorGroupPage page = groups.page(GroupQuery.ALL, next, new GroupRows.Bounds(100, FEW));
      assertThat(page.estimated()).isTrue();
      page.groups().forEach(group -> seen.add(group.id()));
      next = page.next();
    } while (next != null);

    assertThat(seen).doesNotHaveDuplicates().startsWith(group(0));
    assertThat((long) seen.size())
        .isEqualTo(bench.count("(select distinct error_group from ebb.dead_letter) d"));
  }

  @Test
  void a_batch_costs_no_more_among_five_times_as_many_dead_letters() throws SQLException {
    assertThat(groupingBlocks()).isLessThan(2 * groupingBefore);
  }

  @Test
  void a_look_at_the_largest_group_reads_a_bounded_number_of_blocks() throws SQLException {
    bench.resetBlocks();

    ErrorGroupView.Counts counts = groups.find(group(0)).orElseThrow().counts();

    // Each entry that it counts may need its row, after another test has changed it.
    assertThat(bench.blocks("%numbered as%") + bench.blocks("%tablesample%"))
        .isPositive()
        .isLessThan(2L * GroupCounts.EXACT + 2L * GroupCounts.SAMPLED_BLOCKS);
    assertThat(counts.exact()).isFalse();
    List<Long> expected = List.of(10_000L, 10_000L, 10_000L, 20_000L, 50_000L, 50_000L);
    for (int i = 0; i < expected.size(); i++) {
      double there = expected.get(i);
      assertThat((double) counts.byWindow().get(i)).isCloseTo(there, within(0.35 * there));
    }
  }

  @Test
  void a_group_that_is_small_is_counted_exactly_beside_a_large_one() throws SQLException {
    List<ErrorGroupView> page =
        groups.page(GroupQuery.ALL, null, new GroupRows.Bounds(50, FEW)).groups();

    assertThat(page.stream().filter(group -> !group.counts().exact()))
        .extracting(ErrorGroupView::id)
        .containsExactly(group(0));
    ErrorGroupView.Counts counts = groups.find(group(3)).orElseThrow().counts();
    assertThat(counts.exact()).isTrue();
    assertThat(counts.byWindow().getLast())
        .isEqualTo(bench.count("ebb.dead_letter where error_group = '" + group(3) + "'"));
  }

  @Test
  void as_many_as_are_counted_are_counted_exactly() throws SQLException {
    ErrorGroupPage page = groups.page(GroupQuery.ALL, null, 50);

    assertThat(page.estimated()).isFalse();
    assertThat(page.groups()).allMatch(group -> group.counts().exact());
    assertThat(page.groups().getFirst().counts().byWindow().getLast())
        .isEqualTo(bench.count("ebb.dead_letter where error_group = '" + group(0) + "'"));
  }
}
