package dev.ebb.db.settle;

import dev.ebb.core.job.FollowUps;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.FollowUpsJson;
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
import org.jspecify.annotations.Nullable;

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
          select
            j.id, t.lease_id, j.cancel_requested,
            case when t.ends = 1 then j.follow_ups::text end as follow_ups
          from unnest(?::uuid[], ?::integer[], ?::bigint[], ?::integer[])
            as t (id, version, lease_id, ends)
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
  private final FollowUpJobs following;
  private final List<FinishedAttempt> completed = new ArrayList<>();
  private final List<FinishedAttempt> refused = new ArrayList<>();

  private Settle(Connection connection, boolean waits) {
    this.connection = connection;
    this.following = new FollowUpJobs(connection, waits);
  }

  /** A job's row, locked behind the fence; its follow-ups if the settlement ends it. */
  private record Locked(boolean cancelRequested, @Nullable FollowUps followUps) {}

  /**
   * Writes the settlements, ends the leases, and answers what the fence kept out. Needs a
   * transaction.
   */
  public static List<FinishedAttempt> settle(
      Connection connection, List<FinishedAttempt> batch, Collection<Long> ended)
      throws SQLException {
    return new Settle(connection, true).write(batch, ended).refused();
  }

  private SettleResult write(List<FinishedAttempt> batch, Collection<Long> ended)
      throws SQLException {
    List<FinishedAttempt> others = new ArrayList<>();
    for (FinishedAttempt settled : batch) {
      boolean isPlain =
          settled.settlement() instanceof Settlement.Complete && !settled.claimed().followed();
      (isPlain ? completed : others).add(settled);
    }
    List<Long> leases = leases(batch, ended);
    if (!others.isEmpty()) {
      writeOthers(others, leases);
    }
    Collection<Long> ends = without(ended, following.left());
    if (!completed.isEmpty()) {
      refused.addAll(Complete.complete(connection, completed, leases, ends));
    } else if (!ends.isEmpty()) {
      Statements.run(connection, END_LEASES, p -> p.leases(ends));
    }
    return new SettleResult(refused, following.left());
  }

  private static Collection<Long> without(Collection<Long> leases, List<FinishedAttempt> left) {
    if (left.isEmpty()) {
      return leases;
    }
    Set<Long> others = new TreeSet<>(leases);
    left.forEach(settled -> others.remove(settled.claimed().fencingToken()));
    return others;
  }

  /**
   * The same, but only for jobs whose row and lease nobody else has locked, nor the unique key of
   * what follows them. Nothing is written of the others, and their leases stay.
   */
  public static SettleResult settleUnlocked(
      Connection connection, List<FinishedAttempt> batch, Collection<Long> ended)
      throws SQLException {
    Settle settle = new Settle(connection, false);
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
    SettleResult written = settle.write(free, without(mayEnd, left));
    left.addAll(written.locked());
    return new SettleResult(written.refused(), left);
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

  private void writeOthers(List<FinishedAttempt> batch, List<Long> leases) throws SQLException {
    Map<FinishedAttempt.Claim, Locked> live = lock(batch, leases);
    List<FinishedAttempt> settled = new ArrayList<>();
    List<FollowUpJobs.Ending> endings = new ArrayList<>();
    for (FinishedAttempt one : batch) {
      Locked locked = live.get(one.claim());
      if (locked == null) {
        refused.add(one);
      } else {
        FinishedAttempt kept = one.with(one.settlement().orCancel(locked.cancelRequested()));
        settled.add(kept);
        if (locked.followUps() != null && ends(kept.settlement())) {
          endings.add(FollowUpJobs.Ending.of(kept, locked.followUps()));
        }
      }
    }
    following.submit(endings);
    settled.removeAll(following.left());
    List<FinishedAttempt> followed =
        settled.stream().filter(one -> one.settlement() instanceof Settlement.Complete).toList();
    completed.addAll(followed);
    settled.removeAll(followed);
    new SettleOthers(connection).write(settled);
  }

  /** The jobs that the fence lets through, locked. */
  private Map<FinishedAttempt.Claim, Locked> lock(List<FinishedAttempt> batch, List<Long> leases)
      throws SQLException {
    Map<FinishedAttempt.Claim, Locked> live = new HashMap<>();
    Statements.eachBehindSettings(
        connection,
        LOCK,
        p ->
            p.leases(leases)
                .columns(batch)
                .ids(FinishedAttempt::jobId)
                .ints(t -> t.claimed().version())
                .longs(t -> t.claimed().fencingToken())
                .ints(t -> ends(t.settlement()) ? 1 : 0)
                .ids(FinishedAttempt::jobId),
        row ->
            live.put(
                FinishedAttempt.Claim.read(row),
                new Locked(row.getBoolean(3), FollowUpsJson.read(row.getString(4)))));
    return live;
  }

  private static boolean ends(Settlement settlement) {
    return switch (settlement) {
      case Settlement.Complete _, Settlement.DeadLetter _ -> true;
      case Settlement.Retry _, Settlement.Snooze _, Settlement.GiveBack _, Settlement.Cancel _ ->
          false;
    };
  }
}
