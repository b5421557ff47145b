package dev.ebb.db.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ebb.contract.JobCount;
import dev.ebb.core.query.FilterBuilder;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobOrder;
import dev.ebb.core.query.JobQuery;
import dev.ebb.db.Bench;
import dev.ebb.db.ManyJobs;
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
          "due>1000d",
          "error:none",
          "-error:none queue:none",
          "group:00000000-0000-8000-8000-000000000000",
          "payload:none",
          "none -some");

  /** Those of which each takes another way to its rows. */
  private static final List<String> OLDEST_FILTERS =
      List.of("", "state:dead", "state:completed", "queue:none", "error:none", "payload:none");

  private static final Map<String, Long> LIST_BEFORE = new TreeMap<>();
  private static final Map<String, Long> OLDEST_BEFORE = new TreeMap<>();
  private static final Map<String, Long> COUNT_BEFORE = new TreeMap<>();

  private static Bench bench;

  @BeforeAll
  static void fill() throws SQLException {
    bench = new Bench();
    bench.countBlocks();
    more();
    for (String query : FILTERS) {
      LIST_BEFORE.put(query, listBlocks(query, JobOrder.NEWEST));
      COUNT_BEFORE.put(query, countBlocks(query));
    }
    for (String query : OLDEST_FILTERS) {
      OLDEST_BEFORE.put(query, listBlocks(query, JobOrder.OLDEST));
    }
    for (int i = 0; i < 4; i++) {
      more();
    }
  }

  @AfterAll
  static void close() {
    bench.close();
  }

  private static void more() throws SQLException {
    ManyJobs.add(bench.config, ROWS);
  }

  private static JobFilter filter(String query) {
    return JobQuery.read(query, new FilterBuilder()).build();
  }

  private static long listBlocks(String query, JobOrder order) throws SQLException {
    bench.resetBlocks();
    JobPage.PageRequest asked = new JobPage.PageRequest(order, true, null, 50);
    assertThat(bench.reads.list(filter(query), asked)).isNotNull();
    return bench.blocks("%picked as materialized%");
  }

  private static long countBlocks(String query) throws SQLException {
    bench.resetBlocks();
    assertThat(bench.reads.count(filter(query))).isNotNull();
    return bench.blocks("%picked as materialized%") + bench.blocks("%pg_partition_tree%");
  }

  @Test
  void a_page_costs_no_more_among_five_times_as_many_jobs() throws SQLException {
    assertThat(dearer(LIST_BEFORE, JobOrder.NEWEST)).isEmpty();
  }

  @Test
  void a_page_from_the_oldest_on_costs_no_more_either() throws SQLException {
    assertThat(dearer(OLDEST_BEFORE, JobOrder.OLDEST)).isEmpty();
  }

  private static List<String> dearer(Map<String, Long> before, JobOrder order) throws SQLException {
    List<String> dearer = new ArrayList<>();
    for (Map.Entry<String, Long> query : before.entrySet()) {
      long blocks = listBlocks(query.getKey(), order);
      if (blocks > 1.5 * query.getValue() + 100) {
        dearer.add(query + " to " + blocks);
      }
    }
    return dearer;
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
    assertThat(none.exact()).isTrue();
  }

  private static void near(String query, double share, double off) throws SQLException {
    double there = share * 5 * ROWS;
    JobCount count = bench.reads.count(filter(query));

    assertThat((double) count.count()).as(query).isCloseTo(there, within(off * there));
    assertThat(count.exact()).as(query).isFalse();
  }
}
