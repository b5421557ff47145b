package dev.ebb.db.queue;

import dev.ebb.core.access.Act;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.PolicyJson;
import dev.ebb.db.json.RateLimitJson;
import dev.ebb.db.json.StoredSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The queues' settings. */
public final class Queues {
  private static final String BEFORE =
      """
      select paused, rate_limit::text
      from ebb.queue
      where name = ?
      for update
      """;

  // A new row has no deleting transaction: that tells an insert from an update.
  private static final String PUT =
      """
      insert into ebb.queue as q (name, paused, policy, rate_limit, max_concurrency)
      values (?, ?, ?::jsonb, ?::jsonb, ?)
      on conflict (name) do update
      set paused = excluded.paused, policy = excluded.policy, rate_limit = excluded.rate_limit,
        max_concurrency = excluded.max_concurrency
      returning (q.xmax = 0) as created
      """;

  private static final String SET_PAUSED =
      """
      insert into ebb.queue as q (name, paused)
      select name, paused
      from (select ?::text as name, ?::boolean as paused) wanted
      where paused
        or exists (select from ebb.queue q where q.name = wanted.name)
        or exists (select from ebb.job j where j.queue = wanted.name)
      on conflict (name) do update
      set paused = excluded.paused
      returning q.name, q.paused, q.policy, q.rate_limit, q.max_concurrency, q.created_at
      """;

  private static final String REMOVE =
      """
      delete from ebb.queue
      where name = ?
      """;

  private static final String FORGET_LIMITER =
      """
      delete from ebb.limiter l
      where l.queue = ?
        and not exists (
          select from ebb.queue q where q.name = l.queue and q.rate_limit is not null)
      """;

  private final Database database;

  public Queues(Database database) {
    this.database = database;
  }

  /** The queue, if it has settings or jobs that have not ended. */
  public Optional<QueueView> find(String name) throws SQLException {
    return database.inAutocommit(connection -> QueueReads.find(connection, name));
  }

  /**
   * A page of the queues that have settings, or jobs that have not ended.
   *
   * @param after the name before the first one on the page; {@code null} for the first page
   * @param limit of queues
   */
  public QueuePage page(@Nullable String after, int limit) throws SQLException {
    String from = after == null ? "" : after;
    return database.inAutocommit(connection -> QueueReads.page(connection, from, limit));
  }

  /**
   * Creates the queue or replaces its settings, and answers whether it was created. The limiter's
   * stored permits keep their share of the most that can be stored.
   *
   * @param warmUp whether a queue that is resumed restarts its warm-up; otherwise the warm-up goes
   *     on as it was before the pause
   * @throws dev.ebb.core.InvalidInput if the name is not one for a queue
   */
  public boolean put(String name, QueueSettings settings, boolean warmUp, Act act)
      throws SQLException {
    NewJob.requireQueue(name);
    return database.inTransaction(connection -> {
      Before before = before(connection, name);
      boolean created = write(connection, name, settings);
      if (settings.rateLimit() == null) {
        QueueLock.take(connection, name);
        forgetLimiter(connection, name);
      } else {
        carryOver(connection, name, before, !settings.paused() && warmUp);
      }
      Audit.write(connection, act, "queue.put", name, 1);
      return created;
    });
  }

  /**
   * Pauses or resumes a queue, keeps its other settings, and answers how it is then. A queue
   * without settings gets the defaults; empty if a queue to be resumed has neither settings nor
   * jobs.
   *
   * @param warmUp whether a queue that is resumed restarts its warm-up; otherwise the warm-up goes
   *     on as it was before the pause
   */
  public Optional<QueueView> setPaused(String name, boolean paused, boolean warmUp, Act act)
      throws SQLException {
    NewJob.requireQueue(name);
    return database.inTransaction(connection -> {
      Before before = before(connection, name);
      Optional<QueueView> queue = writePaused(connection, name, paused);
      carryOver(connection, name, before, !paused && warmUp);
      if (queue.isPresent()) {
        Audit.write(connection, act, paused ? "queue.pause" : "queue.resume", name, 1);
      }
      return queue;
    });
  }

  /**
   * Removes the queue's settings and its limiter's state; false if it has none. Its jobs stay and
   * follow the defaults.
   */
  public boolean remove(String name, Act act) throws SQLException {
    return database.inTransaction(connection -> {
      if (Statements.update(connection, REMOVE, p -> p.text(name)) == 0) {
        return false;
      }
      QueueLock.take(connection, name);
      forgetLimiter(connection, name);
      Audit.write(connection, act, "queue.delete", name, 1);
      return true;
    });
  }

  private static Optional<QueueView> writePaused(Connection connection, String name, boolean paused)
      throws SQLException {
    return Optional.ofNullable(
        Statements.first(connection, SET_PAUSED, p -> p.text(name).flag(paused), QueueReads::view));
  }

  private static void carryOver(Connection connection, String name, Before before, boolean restarts)
      throws SQLException {
    if (before.rate != null) {
      Limiters.carryOver(connection, name, before.rate, warmUp(before.paused, restarts));
    }
  }

  /** A pause counts as idle time only if the warm-up restarts. */
  private static Limiters.WarmUp warmUp(boolean wasPaused, boolean restarts) {
    if (!wasPaused) {
      return Limiters.WarmUp.GOES_ON;
    }
    return restarts ? Limiters.WarmUp.RESTARTS : Limiters.WarmUp.GOES_ON_AS_LEFT;
  }

  private record Before(boolean paused, @Nullable RateLimit rate) {}

  private static Before before(Connection connection, String name) throws SQLException {
    Before before =
        Statements.first(
            connection,
            BEFORE,
            p -> p.text(name),
            row ->
                new Before(
                    row.getBoolean("paused"),
                    StoredSettings.rateLimit(row.getString("rate_limit"))));
    return before == null ? new Before(false, null) : before;
  }

  private static boolean write(Connection connection, String name, QueueSettings settings)
      throws SQLException {
    RetryPolicy policy = settings.policy();
    RateLimit rateLimit = settings.rateLimit();
    return Statements.list(
            connection,
            PUT,
            p ->
                p.text(name)
                    .flag(settings.paused())
                    .text(policy == null ? null : PolicyJson.write(policy).toString())
                    .text(rateLimit == null ? null : RateLimitJson.write(rateLimit).toString())
                    .integer(settings.maxConcurrency()),
            row -> row.getBoolean("created"))
        .getFirst();
  }

  private static void forgetLimiter(Connection connection, String name) throws SQLException {
    Statements.run(connection, FORGET_LIMITER, p -> p.text(name));
  }
}
