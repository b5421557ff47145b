package dev.ebb.core.health;

import static dev.ebb.core.health.Figure.NOW;
import static dev.ebb.core.health.Figure.PARTITIONS;
import static dev.ebb.core.health.Figure.SERVER;
import static dev.ebb.core.health.Figure.TABLES;
import static dev.ebb.core.health.Theme.STORAGE;
import static dev.ebb.core.health.Theme.VACUUM;

import dev.ebb.contract.DatabaseHealth.Partitions;
import dev.ebb.contract.DatabaseHealth.Table;
import dev.ebb.core.health.Figure.Server;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The checks of tables and partitions, and of what removes their dead rows. */
final class StorageChecks {
  /** A small table may well have a few thousand dead rows. */
  private static final long LEAST = 1_000;

  private static final int DAYS = 3;
  private static final int MONTHS = 2;

  static final List<Check> ALL =
      List.of(
          Check.of(VACUUM, "autovacuum", SERVER, StorageChecks::autovacuum)
              .rule("Bad if autovacuum or track_counts is off."),
          Check.of(VACUUM, "transaction_ids", SERVER, StorageChecks::freeze)
              .rule(
                  "Warns from 150 % of autovacuum_freeze_max_age; is bad from vacuum_failsafe_age,"
                      + " or from 200 % if that is more."),
          Check.of(VACUUM, "dead_rows", List.of(TABLES, NOW), StorageChecks::deadRows)
              .rule(
                  "Warns at ten times as many as autovacuum waits for if none came within 10 min,"
                      + " or at 100 times; bad at 100 times if none came within an hour, or at"
                      + " 1,000 times."),
          Check.of(VACUUM, "table_autovacuum", TABLES, StorageChecks::disabled)
              .rule("Warns if a table, or a partition, has autovacuum_enabled = off."),
          Check.of(STORAGE, "size", TABLES, StorageChecks::size)
              .rule("It is not judged: the server cannot say how much disk is left."),
          Check.of(STORAGE, "partitions_ahead", PARTITIONS, StorageChecks::ahead)
              .rule(
                  "Warns if fewer than 3 days or 2 months are made ahead; bad if the present one is"
                      + " missing."),
          Check.of(STORAGE, "default_partitions", PARTITIONS, StorageChecks::rest)
              .rule("Warns of any row there."));

  private StorageChecks() {}

  private static Finding autovacuum(Check check, Server server) {
    return server.autovacuum()
        ? check.ok("Autovacuum is on.")
        : check.bad(
            "Autovacuum is off: dead rows pile up.",
            "Switch it on, as a superuser; it costs a little disk and time now and then.",
            "alter system set autovacuum = on;",
            "alter system set track_counts = on;",
            "select pg_reload_conf();");
  }

  private static Finding freeze(Check check, Server server) {
    double most = server.freezeMaxAge();
    Limit limit = new Limit("ratio", 1.5, Math.max(2, server.failsafeAge() / most));
    return check.by(
        limit,
        server.freezeAge() / most,
        "The oldest transaction id is %s transactions old, in database %s; autovacuum freezes from"
                .formatted(Plain.number(server.freezeAge()), server.freezeDatabase())
            + " %s on.".formatted(Plain.number(server.freezeMaxAge())),
        "Find out what holds back the vacuum, and let it freeze: at 2 billion the server takes no"
            + " more writes. It reads the whole database.",
        "vacuum (freeze, verbose);");
  }

  /** How bad the dead rows of a table are. */
  private static Verdict of(Table table, Instant now) {
    long times = table.deadRows() / Math.max(LEAST, table.vacuumFrom());
    Instant vacuumed = table.vacuumedAt();
    Instant came = Objects.requireNonNullElse(vacuumed, Instant.EPOCH);
    boolean late = came.isBefore(now.minus(Duration.ofMinutes(10)));
    boolean veryLate = vacuumed != null && came.isBefore(now.minus(Duration.ofHours(1)));
    if (times >= 1_000 || (times >= 100 && veryLate)) {
      return Verdict.BAD;
    }
    return times >= 100 || (times >= 10 && late) ? Verdict.WARN : Verdict.OK;
  }

  private static Finding deadRows(Check check, Figures figures) {
    Instant now = figures.get(NOW);
    Comparator<Table> byVerdict = Comparator.comparing(table -> of(table, now));
    Optional<Table> worst =
        figures.get(TABLES).stream().max(byVerdict.thenComparingLong(Table::deadRows));
    if (worst.isEmpty() || worst.get().deadRows() == 0) {
      return check.ok("There are no dead rows.").measured(0, "rows");
    }
    Table table = worst.get();
    return check
        .of(
            of(table, now),
            sentence(table, now),
            "First end what holds back the vacuum, then run one by hand, as the table's owner. It"
                + " locks nobody out, and reads the whole table.",
            "vacuum (verbose, analyze) ebb." + table.name() + ";")
        .measured((double) table.deadRows(), "rows");
  }

  private static String sentence(Table table, Instant now) {
    return "ebb.%s has %s dead rows beside %s live ones; autovacuum waits for %s and %s."
        .formatted(
            table.name(),
            Plain.number(table.deadRows()),
            Plain.number(table.liveRows()),
            Plain.number(table.vacuumFrom()),
            table.vacuumedAt() == null
                ? "has never come"
                : "came " + Plain.length(Duration.between(table.vacuumedAt(), now)) + " ago");
  }

  private static List<String> names(List<Table> tables, Predicate<Table> which) {
    return tables.stream().filter(which).map(table -> "ebb." + table.name()).toList();
  }

  private static Finding disabled(Check check, List<Table> tables) {
    List<String> off = names(tables, table -> !table.autovacuum());
    return off.isEmpty()
        ? check.ok("Autovacuum is on for every table.")
        : check.warn(
            "Autovacuum is off for " + String.join(", ", off) + ".",
            "It was switched off by hand. The owner can switch it on again, partition by"
                + " partition.",
            off.stream()
                .map(name -> "alter table " + name + " reset (autovacuum_enabled);")
                .toArray(String[]::new));
  }

  private static Finding size(Check check, List<Table> tables) {
    List<String> locked = names(tables, table -> table.bytes() == null);
    long bytes =
        tables.stream().mapToLong(table -> zero(table.bytes()) + zero(table.indexBytes())).sum();
    Finding size =
        locked.isEmpty()
            ? check.ok("The schema takes " + Plain.bytes(bytes) + ", with indexes.")
            : check.unknown(
                "%s cannot be read while it is locked; the rest takes %s."
                    .formatted(String.join(", ", locked), Plain.bytes(bytes)),
                "Jobs wait for it, too. Find out who holds the lock: it comes from alter table,"
                    + " vacuum full, cluster, truncate and lock table.",
                "select l.pid, a.usename, a.application_name, a.state, l.relation::regclass from"
                    + " pg_locks l join pg_stat_activity a on a.pid = l.pid where l.mode ="
                    + " 'AccessExclusiveLock' and l.granted;");
    return size.measured((double) bytes, "bytes");
  }

  private static long zero(@Nullable Long bytes) {
    return Objects.requireNonNullElse(bytes, 0L);
  }

  private static Verdict of(Partitions table) {
    if (table.ahead() < 0) {
      return Verdict.BAD;
    }
    int wanted = table.unit().equals("day") ? DAYS : MONTHS;
    return table.ahead() < wanted ? Verdict.WARN : Verdict.OK;
  }

  private static Finding ahead(Check check, List<Partitions> tables) {
    Comparator<Partitions> byVerdict = Comparator.comparing(StorageChecks::of);
    Partitions worst =
        tables.stream().max(byVerdict.thenComparingInt(table -> -table.ahead())).orElseThrow();
    return check
        .of(
            of(worst),
            worst.ahead() < 0
                ? "ebb.%s has no current partition: its rows go to the default one."
                    .formatted(worst.table())
                : "ebb.%s has partitions for %s %ss after this one."
                    .formatted(worst.table(), worst.ahead(), worst.unit()),
            "Workers make them. See that one is alive, and what it logs of its housekeeping: a long"
                + " query on the history keeps it from making them.")
        .measured(worst.ahead(), "partitions");
  }

  private static Finding rest(Check check, List<Partitions> tables) {
    long rows = tables.stream().mapToLong(Partitions::defaultRows).sum();
    Finding rest =
        rows == 0
            ? check.ok("The default partitions are empty.")
            : check.warn(
                "About %s rows lie in default partitions, because their days were not made."
                    .formatted(Plain.number(rows)),
                "Nothing is lost: workers move them, 10,000 at a time, and reads find them. Until"
                    + " then their days cannot be made. See that a worker is alive.");
    return rest.measured((double) rows, "rows");
  }
}
