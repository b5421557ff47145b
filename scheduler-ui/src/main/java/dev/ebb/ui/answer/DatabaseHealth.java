package dev.ebb.ui.answer;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
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
    @Nullable Claims claims,
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
  public record Server(
      int connections,
      int connectionsUsed,
      String synchronousCommit,
      String synchronousStandbyNames) {}

  /** How long the claims of the process that answers took lately. */
  public record Claims(long count, Duration p50, Duration p99) {}

  /** An open transaction. */
  public record Transaction(
      @Nullable Integer pid,
      @Nullable String gid,
      @Nullable String role,
      @Nullable String application,
      @Nullable String address,
      @Nullable String state,
      boolean own,
      Duration age,
      long transactionsBehind) {}

  /** A replication slot. */
  public record Slot(
      String name,
      String type,
      boolean active,
      @Nullable String walStatus,
      long transactionsBehind,
      @Nullable Long keptBytes) {}

  /** A server that follows. */
  public record Standby(
      String name,
      @Nullable String address,
      @Nullable String state,
      @Nullable String sync,
      @Nullable Long lossBytes,
      @Nullable Duration loss,
      @Nullable Long lagBytes,
      @Nullable Duration lag,
      long transactionsBehind) {}

  /** A table with its partitions. */
  public record Table(
      String name,
      int partitions,
      @Nullable Long bytes,
      @Nullable Long indexBytes,
      long liveRows,
      long deadRows,
      long vacuumFrom,
      boolean autovacuum,
      @Nullable Instant vacuumedAt,
      @Nullable Instant analyzedAt) {

    /** Whether it has rows, or had any that are yet to be removed. */
    public boolean isUsed() {
      return bytes == null || liveRows > 0 || deadRows > 0 || bytes > 100_000;
    }
  }

  /** The partitions of a table by time. */
  public record Partitions(
      String table,
      String unit,
      int count,
      @Nullable LocalDate oldest,
      @Nullable LocalDate newest,
      int ahead,
      long defaultRows) {}

  /** A queue with a due job. */
  public record Due(String queue, Duration age, boolean paused) {}

  /** The clock of a node. */
  public record Clock(String node, Duration skew) {}

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
