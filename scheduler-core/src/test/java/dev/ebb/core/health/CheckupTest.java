package dev.ebb.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.health.SchemaHealth.Table;
import dev.ebb.core.health.ServerHealth.Archive;
import dev.ebb.core.health.ServerHealth.Server;
import dev.ebb.core.health.ServerHealth.Sessions;
import dev.ebb.core.health.ServerHealth.Slot;
import dev.ebb.core.health.ServerHealth.Standby;
import dev.ebb.core.health.ServerHealth.Standbys;
import dev.ebb.core.health.ServerHealth.Transaction;
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

  private static Server server(String synchronousStandbys, @Nullable Archive archive, long age) {
    return new Server(
        NOW,
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
        archive,
        "ebb");
  }

  private static Standby standby(String sync, Duration behind, long xids) {
    return new Standby("copy", null, "streaming", sync, 2048L, behind, 4096L, behind, xids);
  }

  private static ServerHealth health(
      Server server, List<Transaction> open, List<Slot> slots, Standby... standbys) {
    return new ServerHealth(
        Part.of(server),
        Part.of(new Sessions(open, 0, "ebb")),
        Part.of(slots),
        Part.of(new Standbys(List.of(standbys), 0, "ebb")),
        Part.of(new ServerHealth.Primaries(1, null, null, Map.of())));
  }

  private static Finding find(String code, List<Finding> findings) {
    return findings.stream().filter(one -> one.code().equals(code)).findAny().orElseThrow();
  }

  private static Finding find(String code, ServerHealth health) {
    return find(code, Checkup.of(health));
  }

  private static Transaction open(Duration age, long xids) {
    return new Transaction(7, null, "eve", "report", null, "active", false, age, xids);
  }

  @ParameterizedTest
  @CsvSource({"PT4M59S, OK", "PT5M, WARN", "PT59M59S, WARN", "PT1H, BAD"})
  void an_old_transaction_warns_and_then_is_bad(Duration age, Verdict verdict) {
    Server server = server("", null, 1);
    Finding found = find("oldest_transaction", health(server, List.of(open(age, 5)), List.of()));

    assertThat(found.verdict()).isEqualTo(verdict);
    assertThat(found.summary()).contains("session 7 of role eve (report)");
    assertThat(found.commands().isEmpty()).isEqualTo(verdict == Verdict.OK);
  }

  @Test
  void a_prepared_transaction_is_rolled_back_by_its_quoted_name() {
    Transaction prepared =
        new Transaction(null, "it's", "eve", null, null, "prepared", false, Duration.ofHours(2), 5);

    Finding found =
        find("oldest_transaction", health(server("", null, 1), List.of(prepared), List.of()));

    assertThat(found.verdict()).isEqualTo(Verdict.BAD);
    assertThat(found.summary()).contains("the prepared transaction it's of role eve");
    assertThat(found.commands()).containsExactly("rollback prepared 'it''s';");
  }

  @Test
  void whatever_holds_back_the_vacuum_farthest_is_named() {
    Server server = server("", null, 1);
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
                server("", null, 1),
                List.of(),
                List.of(),
                standby("async", Duration.ofSeconds(30), 0)));

    assertThat(late.verdict()).isEqualTo(Verdict.WARN);
    assertThat(late.summary())
        .contains("would lose the last 2 KiB of log, about 30 s of commits", "asynchronously");
  }

  @Test
  void a_synchronous_standby_loses_nothing_and_one_that_is_away_stops_everything() {
    Server wanted = server("copy", null, 1);

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
    Finding lone = find("failover_loss", health(server("", null, 1), List.of(), List.of()));
    assertThat(lone.verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(lone.summary()).contains("loses everything since the last backup");

    Server archived = server("", new Archive(NOW.plusMillis(1), NOW.plusSeconds(1)), 1);
    ServerHealth failing = health(archived, List.of(), List.of());
    assertThat(find("failover_loss", failing).summary())
        .contains("since the log was archived at 2026-01-01T00:00:00Z");
    assertThat(find("archiving", failing).verdict()).isEqualTo(Verdict.WARN);
  }

  @ParameterizedTest
  @CsvSource({"299999999, OK", "300000000, WARN", "1599999999, WARN", "1600000000, BAD"})
  void old_transaction_ids_warn_long_before_writes_end(long age, Verdict verdict) {
    assertThat(
            find("transaction_ids", health(server("", null, age), List.of(), List.of())).verdict())
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
    SchemaHealth schema =
        new SchemaHealth(
            Part.of(List.of(job)),
            Part.unread("the statement took too long (57014)"),
            Part.of(List.of()),
            Part.of(List.of()),
            Part.unread("it is locked"),
            Part.of(new SchemaHealth.Start(NOW.plusNanos(123_456_000), "EBB_START=paused on a")));

    List<Finding> found = Checkup.of(schema, NOW);

    assertThat(find("dead_rows", found).verdict()).isEqualTo(verdict);
    assertThat(find("partitions_ahead", found).verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(find("partitions_ahead", found).summary()).contains("took too long");
    assertThat(find("start", found).verdict()).isEqualTo(Verdict.WARN);
    assertThat(find("start", found).summary())
        .isEqualTo(
            "The start is paused since 2026-01-01T00:00:00Z by EBB_START=paused on a: nothing"
                + " runs.");
  }

  @Test
  void claims_that_nobody_measures_are_unknown() {
    assertThat(Checkup.of(Part.<ClaimTimes>unread("this process runs no worker")).verdict())
        .isEqualTo(Verdict.UNKNOWN);
    Part<ClaimTimes> slow =
        Part.of(new ClaimTimes(9, Duration.ofMillis(2), Duration.ofMillis(300)));
    assertThat(Checkup.of(slow).verdict()).isEqualTo(Verdict.WARN);
    assertThat(Checkup.of(slow).summary()).contains("up to 2 ms", "up to 300 ms");
  }

  private static Finding storing(String why, String state) {
    StoreHealth.Refused refused = new StoreHealth.Refused(NOW.plusNanos(1_000), why, state);
    return Checkup.ofStoring(Part.of(new StoreHealth(refused)));
  }

  @Test
  void a_database_that_stores_nothing_is_bad_and_its_reason_says_what_to_do() {
    Finding full = storing("the server's disk is full (53100)", "53100");
    assertThat(full.verdict()).isEqualTo(Verdict.BAD);
    assertThat(full.summary())
        .isEqualTo(
            "The database stores nothing of this process since 2026-01-01T00:00:00Z: the server's"
                + " disk is full (53100).");
    assertThat(full.advice()).startsWith("Make room on the server's disk");
    assertThat(storing("a commit has waited for over two seconds", "").advice())
        .contains("standby");
    assertThat(storing("the server's system failed (58030)", "58030").advice())
        .isEqualTo("See the server's log.");
  }

  @Test
  void a_process_that_stores_is_well_and_one_that_has_not_tried_is_unknown() {
    Finding well = Checkup.ofStoring(Part.of(new StoreHealth(null)));
    assertThat(well.verdict()).isEqualTo(Verdict.OK);
    assertThat(well.advice()).isEmpty();
    assertThat(Checkup.ofStoring(Part.unread("this process has written nothing yet")).verdict())
        .isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void the_worst_verdict_is_that_of_all() {
    List<Finding> found = Checkup.of(health(server("", null, 1), List.of(), List.of()));

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

  private static ServerHealth primaries(
      int timeline, @Nullable Instant since, Map<String, String> others) {
    ServerHealth health = health(server("", null, 1), List.of(), List.of());
    return new ServerHealth(
        health.server(),
        health.sessions(),
        health.slots(),
        health.standbys(),
        Part.of(new ServerHealth.Primaries(timeline, since, null, others)));
  }
}
