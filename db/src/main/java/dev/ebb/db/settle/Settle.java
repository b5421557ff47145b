package dev.ebb.db.settle;

import dev.ebb.core.job.Settlement;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The verb settle, for any number of jobs at once.
 *
 * <p>The fence: a job is touched only while the lease row that the sender's token names is there,
 * and its row has the version that it had at that claim. The first statement of a batch looks at
 * both and locks what it lets through; the others look at the version again. A sender that lost its
 * lease, or sends twice, changes nothing.
 */
public final class Settle {
  private static final String LOCK =
      SettleSettings.BEGIN
          + """
          with live as materialized (
            select id from ebb.lease where id = any (?) order by id for update
          )
          select j.id, t.lease_id, j.cancel_requested
          from unnest(?::uuid[], ?::integer[], ?::bigint[]) as t (id, version, lease_id)
          join ebb.job j on j.id = t.id
          where j.id = any (?)
            and j.version = t.version -- fence
            and t.lease_id in (select id from live) -- fence
          order by j.id
          for update of j
          """;

  // Lock what is free of the leases and the jobs, and answer what somebody else has locked. Leases
  // come first, as in every settle.
  private static final String LOCK_FREE_LEASES =
      """
      select set_config('lock_timeout', '250ms', true);
      with free as materialized (
        select id from ebb.lease where id = any (?) order by id for update skip locked
      )
      select id from ebb.lease where id = any (?) and id not in (select id from free)
      """;

  private static final String LOCK_FREE_JOBS =
      """
      with free as materialized (
        select id from ebb.job where id = any (?) order by id for update skip locked
      )
      select id from ebb.job where id = any (?) and id not in (select id from free)
      """;

  private static final String END_LEASES =
      """
      delete from ebb.lease where id = any (?)
      """;

  private final Connection connection;

  private Settle(Connection connection) {
    this.connection = connection;
  }

  /**
   * Writes the settlements, ends the leases, and answers what the fence kept out. Needs a
   * transaction.
   */
  public static List<FinishedAttempt> settle(
      Connection connection, List<FinishedAttempt> batch, Collection<Long> ended)
      throws SQLException {
    Settle settle = new Settle(connection);
    List<FinishedAttempt> completed = new ArrayList<>();
    List<FinishedAttempt> others = new ArrayList<>();
    for (FinishedAttempt settled : batch) {
      (settled.settlement() instanceof Settlement.Complete ? completed : others).add(settled);
    }
    List<FinishedAttempt> refused = new ArrayList<>();
    List<Long> leases = leases(batch, ended);
    if (!others.isEmpty()) {
      refused.addAll(settle.writeOthers(others, leases));
    }
    if (!completed.isEmpty()) {
      refused.addAll(Complete.complete(connection, completed, leases, ended));
    } else if (!ended.isEmpty()) {
      Statements.run(connection, END_LEASES, p -> p.leases(ended));
    }
    return refused;
  }

  /**
   * The same, but only for jobs whose row and lease nobody else has locked. Nothing is written of
   * the others, and their leases stay.
   */
  public static SettleResult settleUnlocked(
      Connection connection, List<FinishedAttempt> batch, Collection<Long> ended)
      throws SQLException {
    Settle settle = new Settle(connection);
    Set<Long> lockedLeases = settle.lockedLeases(leases(batch, ended));
    Set<UUID> lockedJobs = settle.lockedJobs(batch);
    List<FinishedAttempt> free = new ArrayList<>();
    List<FinishedAttempt> left = new ArrayList<>();
    for (FinishedAttempt settled : batch) {
      boolean isLocked =
          lockedJobs.contains(settled.jobId())
              || lockedLeases.contains(settled.claimed().fencingToken());
      (isLocked ? left : free).add(settled);
    }
    Set<Long> mayEnd = new TreeSet<>(ended);
    mayEnd.removeAll(lockedLeases);
    left.forEach(settled -> mayEnd.remove(settled.claimed().fencingToken()));
    return new SettleResult(settle(connection, free, mayEnd), left);
  }

  private Set<Long> lockedLeases(List<Long> leases) throws SQLException {
    Set<Long> locked = new HashSet<>();
    Statements.eachBehindSettings(
        connection,
        LOCK_FREE_LEASES,
        p -> p.leases(leases).leases(leases),
        row -> locked.add(row.getLong(1)));
    return locked;
  }

  private Set<UUID> lockedJobs(List<FinishedAttempt> batch) throws SQLException {
    return Set.copyOf(
        Statements.list(
            connection,
            LOCK_FREE_JOBS,
            p -> p.columns(batch).ids(FinishedAttempt::jobId).ids(FinishedAttempt::jobId),
            row -> row.getObject(1, UUID.class)));
  }

  /**
   * Every lease that the transaction will touch. The first statement locks them all, in the order
   * of their ids, as a renewal does: so the two cannot wait for each other.
   */
  private static List<Long> leases(List<FinishedAttempt> batch, Collection<Long> ended) {
    Set<Long> leases = new TreeSet<>(ended);
    batch.forEach(settled -> leases.add(settled.claimed().fencingToken()));
    return List.copyOf(leases);
  }

  private List<FinishedAttempt> writeOthers(List<FinishedAttempt> batch, List<Long> leases)
      throws SQLException {
    Map<FinishedAttempt.Claim, Boolean> live = lock(batch, leases);
    List<FinishedAttempt> settled = new ArrayList<>();
    List<FinishedAttempt> refused = new ArrayList<>();
    for (FinishedAttempt one : batch) {
      Boolean cancelRequested = live.get(one.claim());
      if (cancelRequested == null) {
        refused.add(one);
      } else {
        settled.add(one.with(one.settlement().orCancel(cancelRequested)));
      }
    }
    new SettleOthers(connection).write(settled);
    return refused;
  }

  /** The jobs that the fence lets through, locked, and whether a cancel was requested. */
  private Map<FinishedAttempt.Claim, Boolean> lock(List<FinishedAttempt> batch, List<Long> leases)
      throws SQLException {
    Map<FinishedAttempt.Claim, Boolean> live = new HashMap<>();
    Statements.eachBehindSettings(
        connection,
        LOCK,
        p ->
            p.leases(leases)
                .columns(batch)
                .ids(FinishedAttempt::jobId)
                .ints(t -> t.claimed().version())
                .longs(t -> t.claimed().fencingToken())
                .ids(FinishedAttempt::jobId),
        row -> live.put(FinishedAttempt.Claim.read(row), row.getBoolean(3)));
    return live;
  }
}
