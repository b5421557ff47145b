package dev.ebb.db.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobQuery;
import dev.ebb.db.Bench;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What lists and counts cost, by PostgreSQL's own counts of blocks: no more where there are more
 * jobs.
 */
class ListCostTest {
  private static final int ROWS = 15_000;

  /** Five standard errors of a sample of 300 blocks, and of one of 50. */
  private static final double CHEAP = 0.3;

  private static final double DEAR = 0.7;
  private static final List<String> FILTERS =
      List.of(
          "",
          "state:dead",
          "state:available",
          "state:retrying",
          "state:completed",
          "queue:none",
          "kind:rare",
          "label:m=none",
          "-label:m=none",
          "key:none",
          "attempts>5",
          "age>1000d",
          "ended>1000d",
          "created<2020-01-01",
          "created>9000-01-01",
          "error:none",
          "-error:none queue:none",
          "group:00000000-0000-8000-8000-000000000000",
          "payload:none",
          "none -some");

  private static final Map<String, Long> LIST_BEFORE = new TreeMap<>();
  private static final Map<String, Long> COUNT_BEFORE = new TreeMap<>();

  private static Bench bench;

  @BeforeAll
  static void fill() throws SQLException {
    bench = new Bench();
    bench.countBlocks();
    more();
    for (String query : FILTERS) {
      LIST_BEFORE.put(query, listBlocks(query));
      COUNT_BEFORE.put(query, countBlocks(query));
    }
    for (int i = 0; i < 4; i++) {
      more();
    }
  }

  @AfterAll
  static void close() {
    bench.close();
  }

  /** As many ended, as many retrying and half as many dead, with their attempts. */
  private static void more() throws SQLException {
    bench.execute(
        """
        insert into ebb.history (id, run_at, created_at, started_at, attempt, max_attempts,
          priority, cancelled, queue, kind, labels)
        select uuidv7(), now(), now(), now(), 1, 3, 5, false, 'q', 'echo', '{"m":"x"}'
        from generate_series(1, %1$d);
        with made as (
          insert into ebb.job (run_at, attempt, max_attempts, priority, queue, kind, payload)
          select now() + interval '1 hour', 1, 3, 5, 'q', 'echo', '{"order":1}'
          from generate_series(1, %1$d)
          returning id
        )
        insert into ebb.attempt (job_id, started_at, number, outcome, failure_reason, failure, node)
        select id, now(), 1, 'failed', 'http_500', 'no', 'n' from made;
        insert into ebb.dead_letter (id, reason, failure_reason, failure, started_at, node, run_at,
          created_at, version, attempt, max_attempts, priority, queue, kind, payload)
        select uuidv7(), 'r', 'http_500', 'no', now(), 'n', now(), now(), 1, 3, 3, 5, 'q', 'echo',
          '{"order":1}'
        from generate_series(1, %1$d / 2);
        """
            .formatted(ROWS));
    bench.execute("vacuum analyze ebb.job, ebb.history, ebb.dead_letter, ebb.attempt");
  }

  private static JobFilter filter(String query) {
    return JobQuery.read(query, new FilterBuilder()).build();
  }

  private static long listBlocks(String query) throws SQLException {
    bench.execute("select pg_stat_statements_reset()");
    assertThat(bench.reads.list(filter(query), null, 50)).isNotNull();
    return bench.blocks("%picked as materialized%");
  }

  private static long countBlocks(String query) throws SQLException {
    bench.execute("select pg_stat_statements_reset()");
    assertThat(bench.reads.count(filter(query))).isNotNull();
    return bench.blocks("%picked as materialized%") + bench.blocks("%pg_partition_tree%");
  }

  @Test
  void a_page_costs_no_more_among_five_times_as_many_jobs() throws SQLException {
    List<String> dearer = new ArrayList<>();
    for (String query : FILTERS) {
      long blocks = listBlocks(query);
      if (blocks > 1.5 * LIST_BEFORE.getOrDefault(query, 0L) + 100) {
        dearer.add(query + ": " + LIST_BEFORE.getOrDefault(query, 0L) + " to " + blocks);
      }
    }
    assertThat(dearer).isEmpty();
  }

  @Test
  void a_count_costs_no_more_among_five_times_as_many_jobs() throws SQLException {
    List<String> dearer = new ArrayList<>();
    for (String query : FILTERS) {
      long blocks = countBlocks(query);
      if (blocks > 2.5 * COUNT_BEFORE.getOrDefault(query, 0L) + 2L * JobCounts.SAMPLED_BLOCKS) {
        dearer.add(query + ": " + COUNT_BEFORE.getOrDefault(query, 0L) + " to " + blocks);
      }
    }
    assertThat(dearer).isEmpty();
  }

  @Test
  void an_estimate_is_near_what_is_there() throws SQLException {
    near("", 2.5, CHEAP);
    near("state:completed", 1, CHEAP);
    near("state:retrying", 1, CHEAP);
    near("state:dead", 0.5, CHEAP);
    near("label:m=x", 1, CHEAP);
    near("kind:echo state:available,dead", 1.5, CHEAP);
    near("error:HTTP_500", 1.5, DEAR);
    near("payload:order", 1.5, DEAR);
    JobCount none = bench.reads.count(filter("label:m=none"));
    assertThat(none.count()).isZero();
    assertThat(none.exact()).isFalse();
  }

  private static void near(String query, double share, double off) throws SQLException {
    double there = share * 5 * ROWS;
    JobCount count = bench.reads.count(filter(query));

    assertThat((double) count.count()).as(query).isCloseTo(there, within(off * there));
    assertThat(count.exact()).as(query).isFalse();
  }
}
