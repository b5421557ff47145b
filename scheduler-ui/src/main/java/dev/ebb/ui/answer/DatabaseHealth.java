package dev.ebb.ui.answer;

import dev.ebb.core.health.Figure.Clock;
import dev.ebb.core.health.Figure.Due;
import dev.ebb.core.health.Figure.Partitions;
import dev.ebb.core.health.Figure.Slot;
import dev.ebb.core.health.Figure.Standby;
import dev.ebb.core.health.Figure.Table;
import dev.ebb.core.health.Figure.Transaction;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the database is.
 *
 * @param findings the worst first
 * @param unread why a part is {@code null}, by its name
 */
public record DatabaseHealth(
    Instant asOf,
    String verdict,
    List<Finding> findings,
    Map<String, String> unread,
    @Nullable Server server,
    @Nullable List<Transaction> transactions,
    @Nullable List<Slot> slots,
    @Nullable List<Standby> standbys,
    @Nullable List<Table> tables,
    @Nullable List<Partitions> partitions,
    @Nullable List<Due> due,
    @Nullable List<Clock> clocks) {

  /** One thing, and how it stands. */
  public record Finding(
      String code,
      String theme,
      String verdict,
      String summary,
      String rule,
      @Nullable String advice,
      @Nullable List<String> commands) {
    public Finding {
      commands = Objects.requireNonNullElse(commands, List.of());
    }

    public boolean isBad() {
      return verdict.equals("bad");
    }

    /** Whether it is worse than well. */
    public boolean isWrong() {
      return isBad() || verdict.equals("warn");
    }

    public boolean isUnknown() {
      return verdict.equals("unknown");
    }
  }

  /** What is so in the whole server. */
  public record Server(String synchronousCommit, String synchronousStandbyNames) {}

  /** Since when every job that ended is still there; {@code null} where that is not known. */
  public @Nullable Instant keptSince() {
    return Objects.requireNonNullElse(partitions, List.<Partitions>of()).stream()
        .filter(one -> one.table().equals("history"))
        .map(Partitions::oldest)
        .filter(Objects::nonNull)
        .map(day -> day.atStartOfDay(ZoneOffset.UTC).toInstant())
        .findFirst()
        .orElse(null);
  }

  /** Those tables that have rows, or had any that are yet to be removed. */
  public List<Table> usedTables() {
    return Objects.requireNonNullElse(tables, List.<Table>of()).stream()
        .filter(table ->
            table.bytes() == null
                || table.liveRows() > 0
                || table.deadRows() > 0
                || table.bytes() > 100_000)
        .toList();
  }

  /** Those findings that are about the theme. */
  public List<Finding> about(String theme) {
    return findings.stream().filter(one -> one.theme().equals(theme)).toList();
  }

  public List<Finding> wrong() {
    return findings.stream().filter(Finding::isWrong).toList();
  }

  public List<Finding> unknown() {
    return findings.stream().filter(Finding::isUnknown).toList();
  }
}
