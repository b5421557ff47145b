package dev.ebb.core.health;

import static dev.ebb.core.health.Theme.VACUUM;

import dev.ebb.core.health.SchemaHealth.Table;
import dev.ebb.core.health.ServerHealth.Server;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Judges what removes dead rows. */
final class VacuumChecks {
  private static final Limit ROWS = new Limit("rows", 0, 0);
  private static final Duration LATE = Duration.ofMinutes(10);
  private static final Duration VERY_LATE = Duration.ofHours(1);

  /** A small table may well have a few thousand of them. */
  private static final long LEAST = 1_000;

  private VacuumChecks() {}

  /** Of the server alone. */
  static List<Finding> ofServer(Part<Server> server) {
    return List.of(
        server.judged("autovacuum", VACUUM, "The settings", VacuumChecks::autovacuum),
        server.judged(
            "transaction_ids", VACUUM, "The age of transaction ids", VacuumChecks::freeze));
  }

  /** Of the tables. */
  static List<Finding> ofTables(Part<List<Table>> tables, Instant now) {
    return List.of(
        tables.judged("dead_rows", VACUUM, "The dead rows", all -> deadRows(all, now)),
        tables.judged("table_autovacuum", VACUUM, "The tables' settings", VacuumChecks::disabled));
  }

  private static Finding autovacuum(Server server) {
    return Finding.of(
            "autovacuum",
            VACUUM,
            server.autovacuum() ? Verdict.OK : Verdict.BAD,
            server.autovacuum() ? "Autovacuum is on." : "Autovacuum is off: dead rows pile up.",
            "Bad if autovacuum or track_counts is off.")
        .mend(
            "Switch it on, as a superuser; it costs a little disk and time now and then.",
            "alter system set autovacuum = on;",
            "alter system set track_counts = on;",
            "select pg_reload_conf();");
  }

  private static Finding freeze(Server server) {
    double share = (double) server.freezeAge() / server.freezeMaxAge();
    Limit limit =
        new Limit("ratio", 1.5, Math.max(2, (double) server.failsafeAge() / server.freezeMaxAge()));
    return Finding.of(
            "transaction_ids",
            VACUUM,
            limit.of(share),
            "The oldest transaction id is %s transactions old, in database %s; autovacuum freezes"
                    .formatted(Plain.number(server.freezeAge()), server.freezeDatabase())
                + " from %s on.".formatted(Plain.number(server.freezeMaxAge())),
            limit.rule() + " The ratio is to autovacuum_freeze_max_age.")
        .measured(limit, share)
        .mend(
            "Find out what holds back the vacuum, and let it freeze: at 2 billion the server takes"
                + " no more writes. It reads the whole database.",
            "vacuum (freeze, verbose);");
  }

  /** How bad the dead rows of a table are. */
  private static Verdict of(Table table, Instant now) {
    long due = Math.max(LEAST, table.vacuumFrom());
    Instant vacuumed = table.vacuumedAt();
    Duration since = vacuumed == null ? Duration.ofDays(1_000) : Duration.between(vacuumed, now);
    boolean late = since.compareTo(LATE) > 0;
    boolean veryLate = since.compareTo(VERY_LATE) > 0;
    long times = table.dead() / due;
    if (times >= 1_000 || (times >= 100 && veryLate && vacuumed != null)) {
      return Verdict.BAD;
    }
    return times >= 100 || (times >= 10 && late) ? Verdict.WARN : Verdict.OK;
  }

  private static Finding deadRows(List<Table> tables, Instant now) {
    Comparator<Table> byVerdict = Comparator.comparing(table -> of(table, now));
    Optional<Table> worst = tables.stream().max(byVerdict.thenComparingLong(Table::dead));
    String rule =
        "Warns at ten times as many as autovacuum waits for if none came within 10 min, or at 100"
            + " times; bad at 100 times if none came within an hour, or at 1,000 times.";
    if (worst.isEmpty() || worst.get().dead() == 0) {
      return Finding.of("dead_rows", VACUUM, Verdict.OK, "There are no dead rows.", rule)
          .measured(ROWS, 0);
    }
    Table table = worst.get();
    String name = "ebb." + table.name();
    return Finding.of("dead_rows", VACUUM, of(table, now), sentence(table, name, now), rule)
        .measured(ROWS, table.dead())
        .mend(
            "First end what holds back the vacuum, then run one by hand, as the table's owner. It"
                + " locks nobody out, and reads the whole table.",
            "vacuum (verbose, analyze) " + name + ";");
  }

  private static String sentence(Table table, String name, Instant now) {
    return "%s has %s dead rows beside %s live ones; autovacuum waits for %s and %s."
        .formatted(
            name,
            Plain.number(table.dead()),
            Plain.number(table.live()),
            Plain.number(table.vacuumFrom()),
            table.vacuumedAt() == null
                ? "has never come"
                : "came " + Plain.length(Duration.between(table.vacuumedAt(), now)) + " ago");
  }

  private static Finding disabled(List<Table> tables) {
    List<String> off =
        tables.stream()
            .filter(table -> !table.vacuumable())
            .map(table -> "ebb." + table.name())
            .toList();
    return Finding.of(
            "table_autovacuum",
            VACUUM,
            off.isEmpty() ? Verdict.OK : Verdict.WARN,
            off.isEmpty()
                ? "Autovacuum may come to every table."
                : "Autovacuum never comes to " + String.join(", ", off) + ".",
            "Warns if a table, or a partition, has autovacuum_enabled = off.")
        .mend(
            "Somebody switched it off by hand; the owner switches it on again, partition by"
                + " partition.",
            off.stream()
                .map(name -> "alter table " + name + " reset (autovacuum_enabled);")
                .toArray(String[]::new));
  }
}
