package dev.ebb.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.DatabaseHealth.Claims;
import dev.ebb.contract.DatabaseHealth.Slot;
import dev.ebb.contract.DatabaseHealth.Standby;
import dev.ebb.contract.DatabaseHealth.Table;
import dev.ebb.contract.DatabaseHealth.Transaction;
import dev.ebb.core.health.Figure.Primary;
import dev.ebb.core.health.Figure.Server;
import dev.ebb.core.health.Figure.Start;
import dev.ebb.core.health.Figure.Writes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckupTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static Server server(String synchronousStandbys, long age) {
    return server(synchronousStandbys, age, null, null);
  }

  private static Server server(
      String synchronousStandbys, long age, @Nullable Instant archived, @Nullable Instant failed) {
    return new Server(
        false,
        true,
        true,
        "on",
        synchronousStandbys,
        true,
        100,
        10,
        "ebb",
        age,
        200_000_000,
        1_600_000_000,
        archived != null,
        archived,
        failed,
        "ebb",
        0,
        0);
  }

  private static Standby standby(String sync, Duration behind, long xids) {
    return new Standby("copy", null, "streaming", sync, 2048L, behind, 4096L, behind, xids);
  }

  private static Figures health(
      Server server, List<Transaction> open, List<Slot> slots, Standby... standbys) {
    return Figures.NONE
        .with(Figure.NOW, NOW)
        .with(Figure.SERVER, server)
        .with(Figure.TRANSACTIONS, open)
        .with(Figure.SLOTS, slots)
        .with(Figure.STANDBYS, List.of(standbys))
        .with(Figure.PRIMARY, new Primary(1, null, 0, null, null))
        .with(Figure.STRANGERS, Map.of());
  }

  private static Finding find(String code, List<Finding> findings) {
    return findings.stream().filter(one -> one.code().equals(code)).findAny().orElseThrow();
  }

  private static Finding find(String code, Figures health) {
    return find(code, Checkup.of(health));
  }

  private static Transaction open(Duration age, long xids) {
    return new Transaction(7, null, "eve", "report", null, "active", false, age, xids);
  }

  @ParameterizedTest
  @CsvSource({"PT4M59S, OK", "PT5M, WARN", "PT59M59S, WARN", "PT1H, BAD"})
  void an_old_transaction_warns_and_then_is_bad(Duration age, Verdict verdict) {
    Server server = server("", 1);
    Finding found = find("oldest_transaction", health(server, List.of(open(age, 5)), List.of()));

    assertThat(found.verdict()).isEqualTo(verdict);
    assertThat(found.summary()).contains("session 7 of role eve (report)");
    assertThat(found.commands().isEmpty()).isEqualTo(verdict == Verdict.OK);
  }

  @Test
  void a_prepared_transaction_is_rolled_back_by_its_quoted_name() {
    Transaction prepared =
        new Transaction(null, "it's", "eve", null, null, "prepared", false, Duration.ofHours(2), 5);

    Finding found = find("oldest_transaction", health(server("", 1), List.of(prepared), List.of()));

    assertThat(found.verdict()).isEqualTo(Verdict.BAD);
    assertThat(found.summary()).contains("the prepared transaction it's of role eve");
    assertThat(found.commands()).containsExactly("rollback prepared 'it''s';");
  }

  @Test
  void whatever_holds_back_the_vacuum_farthest_is_named() {
    Server server = server("", 1);
    Slot slot = new Slot("s", "physical", true, "reserved", 2_000_000, 0L);

    assertThat(
            find("vacuum_horizon", health(server, List.of(open(Duration.ZERO, 9)), List.of(slot)))
                .summary())
        .isEqualTo(
            "Dead rows of the last 2,000,000 transactions must stay for the replication slot s.");
    Finding feedback =
        find(
            "vacuum_horizon",
            health(server, List.of(), List.of(slot), standby("async", Duration.ZERO, 20_000_000)));
    assertThat(feedback.verdict()).isEqualTo(Verdict.BAD);
    assertThat(feedback.summary()).endsWith("queries on the standby copy.");
    assertThat(feedback.advice()).contains("hot_standby_feedback");
    assertThat(find("vacuum_horizon", health(server, List.of(), List.of())).verdict())
        .isEqualTo(Verdict.OK);
  }

  @Test
  void a_failover_loses_what_the_best_standby_lacks() {
    Finding late =
        find(
            "failover_loss",
            health(
                server("", 1), List.of(), List.of(), standby("async", Duration.ofSeconds(30), 0)));

    assertThat(late.verdict()).isEqualTo(Verdict.WARN);
    assertThat(late.summary())
        .contains("would lose the last 2 KiB of log, about 30 s of commits", "asynchronously");
  }

  @Test
  void a_synchronous_standby_loses_nothing_and_one_that_is_away_stops_everything() {
    Server wanted = server("copy", 1);

    Finding safe =
        find(
            "failover_loss",
            health(wanted, List.of(), List.of(), standby("sync", Duration.ofHours(1), 0)));
    assertThat(safe.verdict()).isEqualTo(Verdict.OK);
    assertThat(safe.summary()).contains("loses nothing");
    Finding stuck = find("failover_loss", health(wanted, List.of(), List.of()));
    assertThat(stuck.verdict()).isEqualTo(Verdict.BAD);
    assertThat(stuck.summary()).contains("no job is accepted");
  }

  @Test
  void without_a_standby_the_loss_is_unknown_and_its_worst_is_said() {
    Finding lone = find("failover_loss", health(server("", 1), List.of(), List.of()));
    assertThat(lone.verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(lone.summary()).contains("loses everything since the last backup");

    Server archived = server("", 1, NOW.plusMillis(1), NOW.plusSeconds(1));
    Figures failing = health(archived, List.of(), List.of());
    assertThat(find("failover_loss", failing).summary())
        .contains("since the log was archived at 2026-01-01T00:00:00Z");
    assertThat(find("archiving", failing).verdict()).isEqualTo(Verdict.WARN);
  }

  @ParameterizedTest
  @CsvSource({"299999999, OK", "300000000, WARN", "1599999999, WARN", "1600000000, BAD"})
  void old_transaction_ids_warn_long_before_writes_end(long age, Verdict verdict) {
    assertThat(find("transaction_ids", health(server("", age), List.of(), List.of())).verdict())
        .isEqualTo(verdict);
  }

  @ParameterizedTest
  @CsvSource({
    "49999, PT24H, OK",
    "50000, PT11M, WARN",
    "50000, PT9M, OK",
    "500000, PT9M, WARN",
    "500000, PT61M, BAD",
    "5000000, PT1S, BAD"
  })
  void dead_rows_are_judged_by_what_autovacuum_waits_for(
      long dead, Duration since, Verdict verdict) {
    Table job = new Table("job", 1, 1L, 1L, 10, dead, 5_000, true, NOW.minus(since), null);
    Figures schema =
        Figures.NONE
            .with(Figure.NOW, NOW)
            .with(Figure.TABLES, List.of(job))
            .without(Figure.PARTITIONS, "the statement took too long (57014)")
            .with(Figure.START, new Start(NOW.plusNanos(123_456_000), "EBB_START=paused on a"));

    List<Finding> found = Checkup.of(schema);

    assertThat(find("dead_rows", found).verdict()).isEqualTo(verdict);
    assertThat(find("partitions_ahead", found).verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(find("partitions_ahead", found).summary()).contains("took too long");
    assertThat(find("start", found).verdict()).isEqualTo(Verdict.WARN);
    assertThat(find("start", found).summary())
        .isEqualTo(
            "The start has been paused since 2026-01-01T00:00:00Z by EBB_START=paused on a: nothing"
                + " runs.");
  }

  private static Finding claims(Figures figures) {
    return find("claim_times", figures);
  }

  @Test
  void claims_that_nobody_measures_are_unknown() {
    Figures none = Figures.NONE.without(Figure.CLAIMS, "this process runs no worker");
    assertThat(claims(none).verdict()).isEqualTo(Verdict.UNKNOWN);
    Figures slow =
        Figures.NONE.with(
            Figure.CLAIMS, new Claims(9, Duration.ofMillis(2), Duration.ofMillis(300)));
    assertThat(claims(slow).verdict()).isEqualTo(Verdict.WARN);
    assertThat(claims(slow).summary()).contains("up to 2 ms", "up to 300 ms");
  }

  private static Finding storing(String why, String state) {
    return find(
        "storing", Figures.NONE.with(Figure.WRITES, new Writes(NOW.plusNanos(1_000), why, state)));
  }

  @Test
  void a_database_that_stores_nothing_is_bad_and_its_reason_says_what_to_do() {
    Finding full = storing("the server's disk is full (53100)", "53100");
    assertThat(full.verdict()).isEqualTo(Verdict.BAD);
    assertThat(full.summary())
        .isEqualTo(
            "The database has stored nothing from this process since 2026-01-01T00:00:00Z: the server's"
                + " disk is full (53100).");
    assertThat(full.advice()).startsWith("Make room on the server's disk");
    assertThat(storing("a commit has waited for over two seconds", "").advice())
        .contains("standby");
    assertThat(storing("the server's system failed (58030)", "58030").advice())
        .isEqualTo("See the server's log.");
  }

  @Test
  void a_process_that_stores_is_well_and_one_that_has_not_tried_is_unknown() {
    Finding well = find("storing", Figures.NONE.with(Figure.WRITES, Writes.STORED));
    assertThat(well.verdict()).isEqualTo(Verdict.OK);
    assertThat(well.advice()).isEmpty();
    Figures untried = Figures.NONE.without(Figure.WRITES, "this process has written nothing yet");
    assertThat(find("storing", untried).verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(find("storing", untried).summary()).contains("has written nothing yet");
  }

  @Test
  void the_worst_verdict_is_that_of_all() {
    List<Finding> found = Checkup.of(health(server("", 1), List.of(), List.of()));

    assertThat(Finding.worst(found)).isEqualTo(Verdict.UNKNOWN);
    assertThat(Finding.worst(List.of())).isEqualTo(Verdict.OK);
  }

  @Test
  void a_second_server_that_takes_writes_is_bad_and_named_with_its_reason() {
    Finding found = find("one_primary", primaries(2, null, Map.of("db-a:5432", "it is old")));

    assertThat(found.verdict()).isEqualTo(Verdict.BAD);
    assertThat(found.summary())
        .isEqualTo("db-a:5432 takes writes and is not used, because it is old.");
    assertThat(found.advice()).startsWith("Stop it");
    assertThat(find("one_primary", primaries(2, null, Map.of())).verdict()).isEqualTo(Verdict.OK);
  }

  @Test
  void a_promotion_warns_for_a_day_and_the_first_timeline_is_none() {
    assertThat(promoted(2, Duration.ofHours(23))).isEqualTo(Verdict.WARN);
    assertThat(promoted(2, Duration.ofHours(25))).isEqualTo(Verdict.OK);
    assertThat(promoted(1, Duration.ofHours(1))).isEqualTo(Verdict.OK);
  }

  private static Verdict promoted(int timeline, Duration ago) {
    return find("promotion", primaries(timeline, NOW.minus(ago), Map.of())).verdict();
  }

  private static Figures primaries(
      int timeline, @Nullable Instant since, Map<String, String> others) {
    return health(server("", 1), List.of(), List.of())
        .with(Figure.PRIMARY, new Primary(timeline, since, 0, null, null))
        .with(Figure.STRANGERS, others);
  }

  @Test
  void a_job_that_was_acknowledged_and_lost_is_bad_and_told_with_its_times() {
    Primary missing = new Primary(2, NOW, 3, NOW.minusSeconds(9), NOW.minusSeconds(8));
    Finding found = find("lost_jobs", primaries(2, NOW, Map.of()).with(Figure.PRIMARY, missing));

    assertThat(found.verdict()).isEqualTo(Verdict.BAD);
    assertThat(found.summary())
        .startsWith("3 acknowledged jobs are not in the database")
        .endsWith("from 2025-12-31T23:59:51Z to 2025-12-31T23:59:52Z.");
    assertThat(find("lost_jobs", primaries(2, NOW, Map.of())).verdict()).isEqualTo(Verdict.OK);
  }

  @Test
  void a_check_is_skipped_unless_all_its_figures_were_asked_for() {
    assertThat(Checkup.of(Figures.NONE)).isEmpty();
    assertThat(Checkup.of(Figures.NONE.with(Figure.SLOTS, List.of())))
        .singleElement()
        .satisfies(one -> assertThat(one.code()).isEqualTo("idle_slots"));
  }

  @Test
  void every_check_has_a_code_of_its_own_and_a_rule() {
    List<Figure<?>> all =
        List.of(
            Figure.NOW,
            Figure.SERVER,
            Figure.TRANSACTIONS,
            Figure.SLOTS,
            Figure.STANDBYS,
            Figure.PRIMARY,
            Figure.STRANGERS,
            Figure.TABLES,
            Figure.PARTITIONS,
            Figure.DUE,
            Figure.CLOCKS,
            Figure.SCHEDULES,
            Figure.CHECK_INS,
            Figure.START,
            Figure.CLAIMS,
            Figure.WRITES);
    Figures unread = Figures.NONE;
    for (Figure<?> figure : all) {
      unread = unread.without(figure, "it is locked");
    }

    assertThat(Checkup.of(unread))
        .hasSize(29)
        .allSatisfy(one -> {
          assertThat(one.verdict()).isEqualTo(Verdict.UNKNOWN);
          assertThat(one.summary()).contains("it is locked");
          assertThat(one.rule()).isNotBlank();
        })
        .extracting(Finding::code)
        .doesNotHaveDuplicates();
    assertThat(unread.unread()).hasSameSizeAs(all);
  }
}
