package dev.ebb.core.health;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a server tells of itself, whatever is stored in it. */
public record ServerHealth(
    Part<Server> server,
    Part<Sessions> sessions,
    Part<List<Slot>> slots,
    Part<Standbys> standbys,
    Part<Primaries> primaries) {

  /**
   * Which of the servers has the database.
   *
   * @param timeline it is on: one more after each promotion
   * @param since when Ebb first saw that timeline; {@code null} where there is no schema
   * @param lost jobs that were acknowledged and lost; {@code null} where none was found lately
   * @param others that take writes and are not the database: host and port, and why they are not
   */
  public record Primaries(
      int timeline, @Nullable Instant since, @Nullable Lost lost, Map<String, String> others) {}

  /**
   * Jobs that were acknowledged and are not in the database.
   *
   * @param from when the first of them was acknowledged
   */
  public record Lost(long number, Instant from, Instant to) {}

  /**
   * Its settings, and numbers of the whole of it.
   *
   * @param synchronousCommit of the connections of Ebb
   * @param connections that it takes from roles that are no superusers
   * @param connectionsUsed those of them that are taken
   * @param freezeAge of the oldest transaction id that no vacuum froze, in any database
   * @param failsafeAge from where on a vacuum hurries
   * @param archive whether the log is archived; {@code null} if it is not
   * @param role whom Ebb logs in as, quoted as SQL needs it
   */
  public record Server(
      Instant now,
      boolean standby,
      boolean fsync,
      boolean fullPageWrites,
      String synchronousCommit,
      String synchronousStandbys,
      boolean autovacuum,
      int connections,
      int connectionsUsed,
      String freezeDatabase,
      long freezeAge,
      long freezeMaxAge,
      long failsafeAge,
      @Nullable Archive archive,
      String role) {

    /** How many more connections it takes. */
    public int connectionsLeft() {
      return connections - connectionsUsed;
    }
  }

  /** When the log was archived last, and when that failed last. */
  public record Archive(@Nullable Instant archivedAt, @Nullable Instant failedAt) {}

  /**
   * Transactions, the oldest first.
   *
   * @param hidden how many sessions the role may not look at
   * @param role whom Ebb logs in as, quoted as SQL needs it
   */
  public record Sessions(List<Transaction> transactions, int hidden, String role) {}

  /**
   * An open transaction, or one that is prepared.
   *
   * @param pid of its session; {@code null} for one that is prepared
   * @param gid of one that is prepared
   * @param own whether it is Ebb's own
   * @param xids how many transactions began since the oldest that it may still see
   */
  public record Transaction(
      @Nullable Integer pid,
      @Nullable String gid,
      @Nullable String user,
      @Nullable String application,
      @Nullable String address,
      @Nullable String state,
      boolean own,
      Duration age,
      long xids) {

    /** Whose it is, for people. */
    String owner() {
      if (gid != null) {
        return "the prepared transaction " + gid + " of role " + user;
      }
      return (own ? "Ebb's own session " : "session ")
          + pid
          + " of role "
          + user
          + (application == null || application.isEmpty() ? "" : " (" + application + ")");
    }
  }

  /**
   * A replication slot.
   *
   * @param xids how far back it keeps dead rows
   * @param keptBytes of the log that it keeps; {@code null} if it never had a reader
   */
  public record Slot(
      String name,
      String type,
      boolean active,
      @Nullable String walStatus,
      long xids,
      @Nullable Long keptBytes) {}

  /**
   * Who follows the server.
   *
   * @param hidden how many standbys the role may not look at
   */
  public record Standbys(List<Standby> all, int hidden, String role) {}

  /**
   * A server that follows.
   *
   * @param sync whether commits wait for it, in the server's own word
   * @param lossBytes of the log that it has not yet on its disk
   * @param loss how long that takes, as measured last; {@code null} while nothing is written
   * @param lagBytes of the log that it has not replayed
   * @param xids how far back its queries keep dead rows, if it says so (hot_standby_feedback)
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
      long xids) {

    boolean isSync() {
      return "sync".equals(sync) || "quorum".equals(sync);
    }
  }
}
