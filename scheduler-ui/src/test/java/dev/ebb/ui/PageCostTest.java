package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.ManyJobs;
import dev.ebb.db.Proof;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What pages cost the database, by its own counts of blocks: no more where there are more jobs. The
 * times at ten million stand in the bench.
 */
@Proof
class PageCostTest {
  private static final int ROWS = 15_000;
  private static final int TIMES_AS_MANY = 10;
  private static final int TIMES = 3;

  /** Beyond this, a page reads what is there instead of a part of it. */
  private static final double GROWTH = 1.5;

  /** A forecast and an estimate read this many blocks of a large table, and all of a small one. */
  private static final long SAMPLE = 1_000;

  /** What no page may do. */
  private static final String COUNT = "select count(payload) from ebb.job";

  private static final Map<String, Long> BEFORE = new TreeMap<>();

  private static UiServer server;
  private static List<String> pages;

  @BeforeAll
  static void fill() throws SQLException {
    server = UiServer.open();
    server.execute("create extension pg_stat_statements");
    more();
    Dead dead = new Dead(server);
    dead.group();
    server.put(
        "/v1/schedules/nightly",
        "{\"cron\":\"30 2 * * *\",\"job\":{\"kind\":\"report\",\"payload\":1}}");
    server.post("/v1/schedules/nightly/run", "");
    server.post("/v1/operations", "{\"action\":\"hold\",\"filter\":{\"q\":\"queue:none\"}}");
    pages = pages(dead.page());
    for (String page : pages) {
      BEFORE.put(page, blocks(page));
    }
    BEFORE.put(COUNT, blocksOfCount());
    for (int i = 1; i < TIMES_AS_MANY; i++) {
      more();
    }
    dead.group();
  }

  private static List<String> pages(String group) {
    return List.of(
        "/ui",
        "/ui?window=30d",
        "/ui/overview/jobs",
        "/ui/overview/forecast",
        "/ui/overview/worsening",
        "/ui/jobs",
        "/ui/jobs?q=state%3Aretrying+attempts%3E5",
        "/ui/jobs?q=ended%3C1h+state%3Acompleted",
        "/ui/jobs/" + first("/v1/jobs?state=completed&limit=1"),
        "/ui/jobs/" + first("/v1/jobs?state=available&limit=1"),
        "/ui/jobs/" + first("/v1/jobs?state=dead_letter&limit=1"),
        "/ui/queues",
        "/ui/destinations",
        "/ui/queues/q",
        "/ui/queues/q?window=30d&permitsPerSecond=5",
        "/ui/schedules",
        "/ui/schedules/nightly",
        "/ui/schedules/nightly/edit",
        "/ui/new-schedule",
        "/ui/dead",
        group,
        "/ui/operations",
        "/ui/operations/" + first("/v1/operations?limit=1"),
        "/ui/operations/new?q=state%3Adead",
        "/ui/jobs/count?q=state%3Adead&act=true",
        "/ui/nodes",
        "/ui/audit",
        "/ui/database",
        "/ui/lab",
        "/ui/settings");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String first(String list) {
    return server.get(list).json().at("/items/0/id").asString();
  }

  private static void more() throws SQLException {
    ManyJobs.add(server.config(), ROWS);
    server.execute("select ebb.recount_queues()");
  }

  /** The least of some times: what else the server does now and then is not the page's. */
  private static long blocks(String page) throws SQLException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < TIMES; i++) {
      ManyJobs.resetBlocks(server.config());
      assertThat(server.get(page).status()).as(page).isEqualTo(200);
      least = Math.min(least, read());
    }
    return least;
  }

  private static long read() throws SQLException {
    return ManyJobs.blocks(server.config(), "%");
  }

  private static long blocksOfCount() throws SQLException {
    ManyJobs.resetBlocks(server.config());
    server.execute(COUNT);
    return read();
  }

  private static boolean isDearer(String what, long blocks) {
    return blocks > GROWTH * BEFORE.getOrDefault(what, 0L) + SAMPLE;
  }

  @Test
  void a_page_costs_no_more_among_ten_times_as_many_jobs() throws SQLException {
    List<String> dearer = new ArrayList<>();
    for (String page : pages) {
      long blocks = blocks(page);
      if (isDearer(page, blocks)) {
        dearer.add(page + ": " + BEFORE.get(page) + " to " + blocks);
      }
    }
    assertThat(dearer).isEmpty();
  }

  /** The control. */
  @Test
  void a_count_of_all_rows_would_be_found() throws SQLException {
    assertThat(isDearer(COUNT, blocksOfCount())).isTrue();
  }
}
