package dev.ebb.db.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Settlement;
import dev.ebb.db.Bench;
import dev.ebb.db.claim.ClaimedJob;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AttemptPagesTest {
  private static final int ATTEMPTS = 230;

  /** Of a detail: more than a row holds, and it does not compress. */
  private static final int DETAIL = 64 * 1024;

  private Bench bench;
  private UUID id;

  @BeforeEach
  void start() throws SQLException {
    bench = new Bench();
    id = bench.submitOne();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** Attempts of which every third was released, so that its number is used again. */
  private void haveFailed(int attempts, int detailBytes) throws SQLException {
    bench.execute(
        """
        insert into ebb.attempt (
          job_id, started_at, ended_at, number, outcome, node, failure_reason, failure, detail)
        select
          '%s', now() + n * interval '1 s', now() + n * interval '1 s', n - n / 3,
          case when n %% 3 = 0 then 'released' else 'failed' end, 'node', 'http_500', 'no',
          case when %3$s > 0 then (
            select '"' || string_agg(md5(random()::text || n || i), '') || '"'
            from generate_series(1, %3$s / 32) i)
          end
        from generate_series(1, %2$s) n
        """
            .formatted(id, attempts, detailBytes));
  }

  private List<AttemptPage> pages(int limit) throws SQLException {
    List<AttemptPage> pages = new ArrayList<>();
    AttemptPage page = bench.reads.attempts(id, null, limit);
    pages.add(page);
    while (page.next() != null) {
      page = bench.reads.attempts(id, page.next(), limit);
      pages.add(page);
    }
    return pages;
  }

  @Test
  void pages_show_every_attempt_once_oldest_first_although_numbers_are_used_again()
      throws SQLException {
    haveFailed(ATTEMPTS, 0);
    ClaimedJob running = bench.claimOne();
    bench.execute("update ebb.lease set claimed_at = now() + interval '1 h'");

    List<AttemptPage> pages = pages(50);

    List<AttemptView> all = pages.stream().flatMap(page -> page.attempts().stream()).toList();
    assertThat(pages)
        .extracting(page -> page.attempts().size())
        .containsExactly(50, 50, 50, 50, 31);
    assertThat(all).extracting(AttemptView::startedAt).isSorted().doesNotHaveDuplicates();
    assertThat(all.getLast().endedAt()).as("it runs").isNull();
    assertThat(all.get(2).outcome()).isEqualTo("given_back");
    assertThat(all.get(2).number()).isEqualTo(all.get(1).number());

    assertThat(
            bench.settle(running, dev.ebb.core.job.Outcome.completed(), new Settlement.Complete()))
        .isTrue();
    assertThat(pages(200)).extracting(page -> page.attempts().size()).containsExactly(200, 31);
  }

  @Test
  void the_last_page_has_no_next_one_also_where_it_is_full() throws SQLException {
    haveFailed(100, 0);

    assertThat(pages(50)).hasSize(2);
    assertThat(pages(100)).hasSize(1);
    assertThat(bench.reads.attempts(UUID.randomUUID(), null, 50).attempts()).isEmpty();
  }

  @Test
  void a_page_holds_a_mebibyte_of_details_and_one_more_at_most() throws SQLException {
    haveFailed(40, DETAIL);

    List<AttemptPage> pages = pages(200);

    assertThat(pages).extracting(page -> page.attempts().size()).containsExactly(16, 16, 8);
  }

  @Test
  void the_details_of_other_pages_are_not_read() throws SQLException {
    haveFailed(100, DETAIL);
    bench.countBlocks();
    AttemptPage.Position tenth = bench.reads.attempts(id, null, 10).next();

    assertThat(pages(200)).hasSizeGreaterThan(3);
    long all = blocks();
    assertThat(bench.reads.attempts(id, tenth, 1).attempts()).hasSize(1);
    long one = blocks();

    assertThat(one).isPositive().isLessThan(all / 20);
  }

  /** Blocks that were touched to read attempts since the last count. */
  private long blocks() throws SQLException {
    long blocks = bench.blocks("%ebb.every_attempt%job_id = $1%");
    bench.resetBlocks();
    return blocks;
  }
}
