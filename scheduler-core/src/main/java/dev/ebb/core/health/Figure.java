package dev.ebb.core.health;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
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
  public static final Figure<List<Due>> DUE = of("due", "The due jobs");
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
   * An open transaction, or one that is prepared.
   *
   * @param pid of its session; {@code null} for one that is prepared
   * @param gid of one that is prepared
   * @param own whether it is Ebb's own
   * @param transactionsBehind how many transactions began since the oldest that it may still see
   */
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

    /** For those who may not see it. */
    public Transaction withoutAddress() {
      return new Transaction(
          pid, gid, role, application, null, state, own, age, transactionsBehind);
    }
  }

  /**
   * A replication slot.
   *
   * @param transactionsBehind how far back it keeps dead rows
   * @param keptBytes of the log that it keeps; {@code null} if it never had a reader
   */
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
   * @param sync whether commits wait for it, in the server's own word
   * @param lossBytes of the log that it has not yet on its disk
   * @param loss how long that takes, as measured last; {@code null} while nothing is written
   * @param lagBytes of the log that it has not replayed
   * @param transactionsBehind how far back its queries keep dead rows, if it says so
   *     (hot_standby_feedback)
   */
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

    /** For those who may not see it. */
    public Standby withoutAddress() {
      return new Standby(
          name, null, state, sync, lossBytes, loss, lagBytes, lag, transactionsBehind);
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
   * A table, or all partitions of one.
   *
   * @param bytes without indexes; {@code null} while somebody keeps everybody out of it
   * @param vacuumFrom so many dead rows on, autovacuum comes
   * @param autovacuum whether it may come at all
   */
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
   * @param unit of time that each is: {@code day} or {@code month}
   * @param ahead how many are there after the present one; negative if that is not
   * @param defaultRows rows, by estimate, that found no partition
   */
  public record Partitions(
      String table,
      String unit,
      int count,
      @Nullable LocalDate oldest,
      @Nullable LocalDate newest,
      int ahead,
      long defaultRows) {}

  /** A queue whose oldest due job has waited so long. */
  public record Due(String queue, Duration age, boolean paused) {}

  /** The clock of a node that lives, less the database's. */
  public record Clock(String node, Duration skew) {}

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
   * How long claims of a process took lately.
   *
   * @param count since it started
   * @param p50 half of the latest took no longer; zero if there were none lately
   * @param p99 one in a hundred took longer
   */
  public record Claims(long count, Duration p50, Duration p99) {
    /** The metric of a process that measures them. */
    public static final String METER = "ebb.claims";

    /** What the metric tells of them. */
    public static double[] quantiles() {
      return new double[] {0.5, 0.99};
    }
  }

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
