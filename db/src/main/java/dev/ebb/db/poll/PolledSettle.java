package dev.ebb.db.poll;

import dev.ebb.core.Durations;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.settle.FinishedAttempt;
import dev.ebb.db.settle.LeasedJob;
import dev.ebb.db.settle.Settle;
import dev.ebb.db.settle.SettleResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Settles what polling workers tell. The job's row is read under its lease, which is locked, so
 * that retry, delay and dead letter are decided here and by its policy as it is now.
 */
public final class PolledSettle {
  private static final String LOCK =
      """
      with free as materialized (
        %s
      )
      select l.id, l.job_ids, f.id is not null as is_free
      from ebb.lease l
      left join free f on f.id = l.id
      where l.id = any (?)
        and l.holder = ?
      """
          .formatted(PolledLeases.FREE);

  private static final String UNTOLD =
      """
      select l.id
      from ebb.lease l
      where l.id = ?
        and l.holder = ?
        and l.expires_at = ?
      for update skip locked
      """;

  private final Database database;
  private final Supplier<? extends RandomGenerator> random;

  /**
   * One that has settled nothing.
   *
   * @param random gives the calling thread that from which delays are drawn
   */
  public PolledSettle(Database database, Supplier<? extends RandomGenerator> random) {
    this.database = database;
    this.random = random;
  }

  /** The leases of a settle that are there. */
  private record Held(Set<Long> free, Set<Long> locked, Map<Long, Set<UUID>> named) {
    static Held lock(Connection connection, Collection<Long> leases, String holder)
        throws SQLException {
      Held held = new Held(new HashSet<>(), new HashSet<>(), new HashMap<>());
      var _ =
          Statements.list(
              connection,
              LOCK,
              p -> p.leases(leases).text(holder).leases(leases).text(holder),
              row -> {
                long id = row.getLong("id");
                (row.getBoolean("is_free") ? held.free : held.locked).add(id);
                return held.named.put(id, Set.copyOf(Rows.ids(row, "job_ids")));
              });
      return held;
    }

    boolean names(Ending ending) {
      return named.getOrDefault(ending.lease(), Set.of()).contains(ending.job());
    }
  }

  /**
   * Decides on the attempts by their jobs' policies, and settles them; ends leases without jobs.
   */
  public Settled settle(List<Ending> endings, String holder) throws SQLException {
    return database.inTransaction(connection -> settle(connection, endings, holder));
  }

  /**
   * Gives back the jobs of a lease that its worker was not told of: none if the lease was renewed
   * since, because its poll was repeated.
   */
  public Settled giveBack(PolledLease lease, String holder) throws SQLException {
    List<Ending> endings =
        lease.jobs().stream()
            .map(job -> new Ending(lease.id(), job.id(), new Outcome.GivenBack(), null, null))
            .toList();
    return database.inTransaction(connection -> {
      boolean isUntold =
          Statements.first(
                  connection,
                  UNTOLD,
                  p -> p.bigint(lease.id()).text(holder).time(lease.expiresAt()),
                  row -> row.getLong("id"))
              != null;
      return isUntold
          ? settle(connection, endings, holder)
          : new Settled(List.of(), List.of(), List.of(), List.of());
    });
  }

  private Settled settle(Connection connection, List<Ending> endings, String holder)
      throws SQLException {
    Set<Long> leases = new HashSet<>();
    endings.forEach(ending -> leases.add(ending.lease()));
    Held held = Held.lock(connection, leases, holder);
    Map<FinishedAttempt.Claim, LeasedJob> open = new HashMap<>();
    for (LeasedJob job : LeasedJob.of(connection, held.free)) {
      open.put(FinishedAttempt.Claim.of(job.claimed()), job);
    }
    Sorted sorted = Sorted.of(endings, held, open);
    Map<Ending, FinishedAttempt> finished = new LinkedHashMap<>();
    sorted.open.forEach((ending, job) -> finished.put(ending, finished(ending, job)));
    List<FinishedAttempt> batch = List.copyOf(finished.values());
    SettleResult result = Settle.settleUnlocked(connection, batch, ended(held.free, open, batch));
    return sorted.settled(finished, result);
  }

  private FinishedAttempt finished(Ending ending, LeasedJob job) {
    Settlement settlement =
        Settlement.decide(job.claimed().job(), ending.outcome(), job.now(), random.get());
    Duration told = ending.took();
    Duration took = told == null ? job.sinceClaim() : Durations.min(told, job.sinceClaim());
    return job.finished(ending.outcome(), settlement, took, ending.detail());
  }

  /** The leases that have no job left after the batch. */
  private static Set<Long> ended(
      Set<Long> leases, Map<FinishedAttempt.Claim, LeasedJob> open, List<FinishedAttempt> batch) {
    Set<FinishedAttempt.Claim> left = new HashSet<>(open.keySet());
    batch.forEach(one -> left.remove(one.claim()));
    Set<Long> ended = new HashSet<>(leases);
    left.forEach(claim -> ended.remove(claim.token()));
    return ended;
  }

  /** What was sent, by what the leases say of it. */
  private record Sorted(
      Map<Ending, LeasedJob> open, List<Ending> before, List<Ending> ended, List<Ending> locked) {
    static Sorted of(List<Ending> endings, Held held, Map<FinishedAttempt.Claim, LeasedJob> open) {
      Sorted sorted =
          new Sorted(
              new LinkedHashMap<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      Set<FinishedAttempt.Claim> seen = new HashSet<>();
      for (Ending ending : endings) {
        FinishedAttempt.Claim claim = new FinishedAttempt.Claim(ending.job(), ending.lease());
        LeasedJob job = seen.add(claim) ? open.get(claim) : null;
        if (job != null) {
          sorted.open.put(ending, job);
        } else if (held.locked.contains(ending.lease())) {
          sorted.locked.add(ending);
        } else {
          (held.names(ending) ? sorted.before : sorted.ended).add(ending);
        }
      }
      return sorted;
    }

    Settled settled(Map<Ending, FinishedAttempt> finished, SettleResult result) {
      List<FinishedAttempt> written = new ArrayList<>();
      finished.forEach((ending, attempt) -> {
        if (result.locked().contains(attempt)) {
          locked.add(ending);
        } else if (result.refused().contains(attempt)) {
          before.add(ending);
        } else {
          written.add(attempt);
        }
      });
      return new Settled(written, before, ended, locked);
    }
  }
}
