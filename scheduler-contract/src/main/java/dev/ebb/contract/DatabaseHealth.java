package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the database is. A part that could not be read is absent, and stands in {@code unread}.
 *
 * @param asOf when this was so, by the database's clock
 * @param verdict the worst of the findings'
 * @param findings the worst first
 * @param unread why a part is absent, by its name
 * @param server the server
 * @param claims of the process that answers, within the last minutes; absent if it runs no worker
 * @param transactions the oldest that hold back the vacuum
 * @param slots the replication slots
 * @param standbys the servers that follow
 * @param tables with their partitions, the largest first
 * @param partitions of the tables that have them by time
 * @param due queues with due jobs, the oldest first
 * @param clocks of the nodes that live, the worst first
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DatabaseHealth(
    Instant asOf,
    String verdict,
    List<DatabaseFinding> findings,
    Map<String, String> unread,
    @Nullable Server server,
    @Nullable Claims claims,
    @Nullable List<Transaction> transactions,
    @Nullable List<Slot> slots,
    @Nullable List<Standby> standbys,
    @Nullable List<Table> tables,
    @Nullable List<Partitions> partitions,
    @Nullable List<DueQueue> due,
    @Nullable List<Clock> clocks) {

  /**
   * The server.
   *
   * @param standby whether it follows another server
   * @param connections that it takes from roles that are no superusers
   * @param connectionsUsed those of them that are taken
   * @param synchronousCommit of the connections of Ebb
   * @param synchronousStandbyNames which servers a commit waits for, as its setting says
   */
  public record Server(
      boolean standby,
      int connections,
      int connectionsUsed,
      String synchronousCommit,
      String synchronousStandbyNames) {}

  /**
   * How long claims of a process took lately.
   *
   * @param count since it started
   * @param p50 half of the latest took no longer; zero if there were none lately
   * @param p99 one in a hundred took longer
   */
  public record Claims(long count, Duration p50, Duration p99) {}

  /**
   * An open transaction, or one that is prepared.
   *
   * @param pid of its session; absent for one that is prepared
   * @param gid of one that is prepared
   * @param role whose it is
   * @param application what its program calls itself
   * @param address where it comes from
   * @param state as PostgreSQL has it, such as {@code active}
   * @param own whether it is Ebb's own
   * @param age since it began
   * @param transactionsBehind how many transactions began since the oldest that it may still see
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Transaction(
      @Nullable Integer pid,
      @Nullable String gid,
      @Nullable String role,
      @Nullable String application,
      @Nullable String address,
      @Nullable String state,
      boolean own,
      Duration age,
      long transactionsBehind) {

    /** {@return the same for those who may not see the address} */
    public Transaction withoutAddress() {
      return new Transaction(
          pid, gid, role, application, null, state, own, age, transactionsBehind);
    }
  }

  /**
   * A replication slot.
   *
   * @param name its name
   * @param type physical or logical
   * @param active whether somebody reads from it
   * @param walStatus whether what it needs of the log is still there, as PostgreSQL has it
   * @param transactionsBehind how far back it keeps dead rows
   * @param keptBytes of the log that it keeps; absent if it never had a reader
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Slot(
      String name,
      String type,
      boolean active,
      @Nullable String walStatus,
      long transactionsBehind,
      @Nullable Long keptBytes) {}

  /**
   * A server that follows.
   *
   * @param name what it calls itself
   * @param address where it is
   * @param state as PostgreSQL has it, such as {@code streaming}
   * @param sync whether commits wait for it, in the server's own word
   * @param lossBytes of the log that it has not yet on its disk
   * @param loss how long that takes, as measured last; absent while nothing is written
   * @param lagBytes of the log that it has not replayed
   * @param lag how far behind it replays
   * @param transactionsBehind how far back its queries keep dead rows, if it says so
   *     (hot_standby_feedback)
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Standby(
      String name,
      @Nullable String address,
      @Nullable String state,
      @Nullable String sync,
      @Nullable Long lossBytes,
      @Nullable Duration loss,
      @Nullable Long lagBytes,
      @Nullable Duration lag,
      long transactionsBehind) {

    /** {@return the same for those who may not see the address} */
    public Standby withoutAddress() {
      return new Standby(
          name, null, state, sync, lossBytes, loss, lagBytes, lag, transactionsBehind);
    }
  }

  /**
   * A table, or all partitions of one.
   *
   * @param name its name
   * @param partitions of how many tables it consists
   * @param bytes without indexes; absent while it is locked
   * @param indexBytes of its indexes
   * @param liveRows rows that are there, by estimate
   * @param deadRows rows that are yet to be removed, by estimate
   * @param vacuumFrom so many dead rows on, autovacuum comes
   * @param autovacuum whether it may come at all
   * @param vacuumedAt when a vacuum last ended; {@code null} for never
   * @param analyzedAt when its statistics were last made; {@code null} for never
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
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
      @Nullable Instant analyzedAt) {}

  /**
   * The partitions of a table by time.
   *
   * @param table the name of the table
   * @param unit of time that each is: day or month
   * @param count how many there are
   * @param oldest the first day that has one
   * @param newest the last day that has one
   * @param ahead how many are there after the present one; negative if that is not
   * @param defaultRows rows, by estimate, that found no partition
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Partitions(
      String table,
      String unit,
      int count,
      @Nullable LocalDate oldest,
      @Nullable LocalDate newest,
      int ahead,
      long defaultRows) {}

  /**
   * A queue whose oldest due job has waited so long.
   *
   * @param queue the queue
   * @param age since when the oldest has been due
   * @param paused whether nothing of it starts
   */
  public record DueQueue(String queue, Duration age, boolean paused) {}

  /**
   * The clock of a node that lives, less the database's.
   *
   * @param node the name of the node
   * @param skew by how much it is ahead; below zero if it is behind
   */
  public record Clock(String node, Duration skew) {}

  /**
   * {@return since when every job that ended is still there; {@code null} where that is not known}
   */
  public @Nullable Instant keptSince() {
    return Objects.requireNonNullElse(partitions, List.<Partitions>of()).stream()
        .filter(one -> one.table().equals("history"))
        .map(Partitions::oldest)
        .filter(Objects::nonNull)
        .map(day -> day.atStartOfDay(ZoneOffset.UTC).toInstant())
        .findFirst()
        .orElse(null);
  }

  /** {@return those tables that have rows, or had any that are yet to be removed} */
  public List<Table> usedTables() {
    return Objects.requireNonNullElse(tables, List.<Table>of()).stream()
        .filter(table ->
            table.bytes() == null
                || table.liveRows() > 0
                || table.deadRows() > 0
                || table.bytes() > 100_000)
        .toList();
  }

  /**
   * Those findings that are about a theme.
   *
   * @param theme as findings have it
   * @return some of the findings
   */
  public List<DatabaseFinding> about(String theme) {
    return findings.stream().filter(one -> one.theme().equals(theme)).toList();
  }

  /** {@return the findings that need somebody} */
  public List<DatabaseFinding> wrong() {
    return findings.stream().filter(DatabaseFinding::isWrong).toList();
  }

  /** {@return the findings for which nothing could be measured} */
  public List<DatabaseFinding> unknown() {
    return findings.stream().filter(DatabaseFinding::isUnknown).toList();
  }
}
