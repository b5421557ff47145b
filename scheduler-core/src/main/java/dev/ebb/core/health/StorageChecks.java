package dev.ebb.core.health;

import static dev.ebb.core.health.Theme.STORAGE;

import dev.ebb.core.health.SchemaHealth.Partitions;
import dev.ebb.core.health.SchemaHealth.Table;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Judges tables and partitions. */
final class StorageChecks {
  private static final Limit BYTES = new Limit("bytes", 0, 0);
  private static final Limit AHEAD = new Limit("partitions", 0, 0);
  private static final Limit ROWS = new Limit("rows", 0, 0);
  private static final int DAYS = 3;
  private static final int MONTHS = 2;

  private StorageChecks() {}

  static List<Finding> all(SchemaHealth health) {
    return List.of(
        health.tables().judged("size", STORAGE, "The sizes", StorageChecks::size),
        health
            .partitions()
            .judged("partitions_ahead", STORAGE, "The partitions", StorageChecks::ahead),
        health
            .partitions()
            .judged("default_partitions", STORAGE, "The partitions", StorageChecks::rest));
  }

  private static Finding size(List<Table> tables) {
    List<String> locked =
        tables.stream()
            .filter(table -> table.bytes() == null)
            .map(table -> "ebb." + table.name())
            .toList();
    long bytes =
        tables.stream().mapToLong(table -> zero(table.bytes()) + zero(table.indexBytes())).sum();
    Finding finding =
        Finding.of(
                "size",
                STORAGE,
                locked.isEmpty() ? Verdict.OK : Verdict.UNKNOWN,
                locked.isEmpty()
                    ? "The schema takes " + Plain.bytes(bytes) + ", with indexes."
                    : "Somebody keeps everybody out of %s; the rest takes %s."
                        .formatted(String.join(", ", locked), Plain.bytes(bytes)),
                "It is not judged: the server cannot say how much disk is left.")
            .measured(BYTES, bytes);
    return finding.mend(
        "Jobs wait for it, too. See who it is; such locks come from alter table, vacuum full,"
            + " cluster, truncate and lock table.",
        "select l.pid, a.usename, a.application_name, a.state, l.relation::regclass from pg_locks l"
            + " join pg_stat_activity a on a.pid = l.pid where l.mode = 'AccessExclusiveLock' and"
            + " l.granted;");
  }

  private static long zero(@Nullable Long bytes) {
    return Objects.requireNonNullElse(bytes, 0L);
  }

  private static Verdict of(Partitions table) {
    if (table.ahead() < 0) {
      return Verdict.BAD;
    }
    return table.ahead() < (table.days() ? DAYS : MONTHS) ? Verdict.WARN : Verdict.OK;
  }

  private static Finding ahead(List<Partitions> tables) {
    Partitions worst =
        tables.stream()
            .max(Comparator.comparing(StorageChecks::of).thenComparingInt(table -> -table.ahead()))
            .orElseThrow();
    Verdict verdict = of(worst);
    String unit = worst.days() ? "days" : "months";
    String summary =
        worst.ahead() < 0
            ? "ebb.%s has no partition for now: its rows go to the default one."
                .formatted(worst.table())
            : "ebb.%s has partitions for %s %s after this one."
                .formatted(worst.table(), worst.ahead(), unit);
    return Finding.of(
            "partitions_ahead",
            STORAGE,
            verdict,
            summary,
            "Warns if fewer than 3 days or 2 months are made ahead; bad if the present one is"
                + " missing.")
        .measured(AHEAD, worst.ahead())
        .mend(
            "Workers make them. See that one is alive, and what it logs of its housekeeping: a long"
                + " query on the history keeps it from making them.");
  }

  private static Finding rest(List<Partitions> tables) {
    long rows = tables.stream().mapToLong(Partitions::rest).sum();
    return Finding.of(
            "default_partitions",
            STORAGE,
            rows == 0 ? Verdict.OK : Verdict.WARN,
            rows == 0
                ? "The default partitions are empty."
                : "About %s rows lie in default partitions, because their days were not made."
                    .formatted(Plain.number(rows)),
            "Warns of any row there.")
        .measured(ROWS, rows)
        .mend(
            "Nothing is lost: workers move them, 10,000 at a time, and reads find them. Until then"
                + " their days cannot be made. See that a worker is alive.");
  }
}
