package dev.ebb.core.health;

import dev.ebb.contract.DatabaseHealth.Claims;
import dev.ebb.contract.DatabaseHealth.Clock;
import dev.ebb.contract.DatabaseHealth.DueQueue;
import dev.ebb.contract.DatabaseHealth.Partitions;
import dev.ebb.contract.DatabaseHealth.Slot;
import dev.ebb.contract.DatabaseHealth.Standby;
import dev.ebb.contract.DatabaseHealth.Table;
import dev.ebb.contract.DatabaseHealth.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is read of a database or of a process, by itself.
 *
 * @param name as answers call it
 * @param unread what is said, before the reason, where it could not be read
 * @param advice what to do then
 */
public record Figure<T>(String name, String unread, String advice) {
  /** By the clock of the database. */
  public static final Figure<Instant> NOW = of("now", "The server's clock");

  public static final Figure<Server> SERVER = of("server", "The server's settings");
  public static final Figure<List<Transaction>> TRANSACTIONS =
      of("transactions", "The open transactions");
  public static final Figure<List<Slot>> SLOTS = of("slots", "The replication slots");
  public static final Figure<List<Standby>> STANDBYS = of("standbys", "The standbys");
  public static final Figure<Primary> PRIMARY = of("primary", "The database's identity");

  /** Other servers that take writes, by host and port, and why they are not the database. */
  public static final Figure<Map<String, String>> STRANGERS =
      of("strangers", "The other servers of EBB_DB_URL");

  public static final Figure<List<Table>> TABLES = of("tables", "The tables");
  public static final Figure<List<Partitions>> PARTITIONS = of("partitions", "The partitions");
  public static final Figure<List<DueQueue>> DUE = of("due", "The due jobs");
  public static final Figure<List<Clock>> CLOCKS = of("clocks", "The nodes' clocks");
  public static final Figure<Schedules> SCHEDULES = of("schedules", "The schedules");

  /** Of the nodes that fire schedules, and of those that died lately. */
  public static final Figure<List<CheckIn>> CHECK_INS = of("checkIns", "The nodes' check-ins");

  public static final Figure<Start> START = of("start", "The start");
  public static final Figure<Claims> CLAIMS =
      new Figure<>(
          "claims",
          "How long claims take is not known here",
          "Ask a process that runs a worker: its /metrics show ebb_claims_seconds.");
  public static final Figure<Writes> WRITES =
      new Figure<>(
          "writes",
          "Whether the database stores anything is not known here",
          "Submit a job, and load this again.");

  /** The metric of a process that measures its claims. */
  public static final String CLAIMS_METER = "ebb.claims";

  private static <T> Figure<T> of(String name, String what) {
    return new Figure<>(name, what + " could not be read", "Load this again.");
  }

  /** What was kept for this figure, as its type. */
  @SuppressWarnings("unchecked")
  @Nullable T typed(@Nullable Object kept) {
    return (T) kept;
  }

  /**
   * The server's settings, and numbers of the whole of it.
   *
   * @param synchronousCommit of the connections of Ebb
   * @param connections that it takes from roles that are no superusers
   * @param connectionsUsed those of them that are taken
   * @param freezeAge of the oldest transaction id that no vacuum froze, in any database
   * @param failsafeAge from where on a vacuum hurries
   * @param role as which Ebb logs in, quoted as SQL needs it
   * @param hiddenSessions how many sessions the role may not look at
   * @param hiddenStandbys how many standbys the role may not look at
   */
  public record Server(
      boolean standby,
      boolean fsync,
      boolean fullPageWrites,
      String synchronousCommit,
      String synchronousStandbyNames,
      boolean autovacuum,
      int connections,
      int connectionsUsed,
      String freezeDatabase,
      long freezeAge,
      long freezeMaxAge,
      long failsafeAge,
      boolean archives,
      @Nullable Instant archivedAt,
      @Nullable Instant archiveFailedAt,
      String role,
      int hiddenSessions,
      int hiddenStandbys) {

    /** How many more connections it takes. */
    public int connectionsLeft() {
      return connections - connectionsUsed;
    }
  }

  /**
   * The server that has the database, and the acknowledged jobs that are not in it.
   *
   * @param timeline it is on: one more after each promotion
   * @param since when Ebb first saw that timeline; {@code null} where there is no schema
   * @param lost how many jobs were found missing lately
   * @param lostFrom when the first of them was acknowledged; {@code null} for none
   */
  public record Primary(
      int timeline,
      @Nullable Instant since,
      long lost,
      @Nullable Instant lostFrom,
      @Nullable Instant lostTo) {}

  /**
   * The schedules, and what Quartz keeps for them.
   *
   * @param awaited whether one that is not paused has a next fire
   * @param late the one that should have fired before all others, and has not
   * @param lateBy how long ago that was; {@code null} if none is late
   * @param halted triggers, and groups of them, that Quartz does not fire
   * @param missing a fire to come that has had no trigger for a while
   */
  public record Schedules(
      boolean awaited,
      @Nullable String late,
      @Nullable Duration lateBy,
      int halted,
      @Nullable Instant missing) {}

  /**
   * The last time that a node told Quartz's tables that it lives, by its own clock.
   *
   * @param age by the database's clock; negative if it lies in the future
   * @param lives whether its heartbeat says that it lives
   */
  public record CheckIn(String node, Duration age, boolean lives) {}

  /**
   * The cluster's start.
   *
   * @param pausedSince {@code null} while it is not paused
   * @param pausedBy the setting or the command; {@code null} while it is not paused
   */
  public record Start(@Nullable Instant pausedSince, @Nullable String pausedBy) {}

  /**
   * What became of the writes of a process.
   *
   * @param refusedSince {@code null} if they are stored
   * @param why they are not, as a clause
   * @param state the SQLSTATE of it; empty where there is none
   */
  public record Writes(@Nullable Instant refusedSince, String why, String state) {
    public static final Writes STORED = new Writes(null, "", "");
  }
}
