package dev.ebb.db.operation;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.operation.OperationPlan;
import dev.ebb.db.action.JobPlace;
import dev.ebb.db.action.JobPlaces;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.submit.StartKeys;
import dev.ebb.db.view.JobScan;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What people ask of operations. Every verb is one transaction, with its entry in the audit. */
public final class Operations {
  private static final int MOST_FORGOTTEN = 10_000;
  private static final UUID LAST = new UUID(-1, -1);

  private static final String FIND =
      """
      select * from ebb.operation o where o.id = ?
      """;

  private static final String STATES =
      """
      select o.id, o.state from ebb.operation o where o.id = any (?)
      """;

  private static final String PAGE =
      """
      select * from ebb.operation o where o.id < ? order by o.id desc limit ?
      """;

  private static final String PAUSE =
      """
      update ebb.operation o
      set state = 'paused', state_reason = ?
      where o.id = ? and o.state = 'running'
      """;

  // What made it pause is over: its stage is judged by what ends from now on.
  private static final String RESUME =
      """
      update ebb.operation o
      set state = 'running', state_reason = null, due_at = statement_timestamp(),
        next_job_at = statement_timestamp(), stage_ended = 0, stage_failed = 0
      where o.id = ? and o.state = 'paused'
      """;

  private static final String CANCEL =
      """
      update ebb.operation o
      set state = 'cancelled', state_reason = ?, ended_at = statement_timestamp()
      where o.id = ? and o.state in ('running', 'paused')
      returning o.done
      """;

  private static final String OLDEST =
      """
      select o.id
      from ebb.operation o
      where o.ended_at < statement_timestamp() - interval '30 days'
      order by o.ended_at
      limit 1
      """;

  private static final String FORGET_ITEMS =
      """
      delete from ebb.operation_item i
      where i.operation = ?
        and i.job_id in (
          select x.job_id from ebb.operation_item x where x.operation = ? limit ?)
      """;

  private static final String FORGET =
      """
      delete from ebb.operation o
      where o.id = ?
        and not exists (select from ebb.operation_item i where i.operation = o.id)
      """;

  private final Database database;

  public Operations(Database database) {
    this.database = database;
  }

  /**
   * Stores the operation: nodes begin with it at once. It covers no jobs that are submitted later,
   * and no dead letters that die later.
   *
   * @throws InvalidInput if the filter is too long to be stored
   */
  public OperationView start(OperationPlan plan, Matched matched, Act act) throws SQLException {
    return database.inTransaction(
        connection -> OperationStart.start(connection, plan, matched, act));
  }

  /** The same, unless an earlier request had the key. */
  public StartAnswer start(OperationPlan plan, Matched matched, Act act, IdempotencyKey key)
      throws SQLException {
    return database.inTransaction(connection -> {
      boolean isOurs = StartKeys.lock(connection, key);
      StartAnswer known = known(connection, key);
      if (known != null || !isOurs) {
        return known == null ? new StartAnswer.InFlight() : known;
      }
      OperationView started = OperationStart.start(connection, plan, matched, act);
      StartKeys.keep(connection, key, started.id());
      return new StartAnswer.Started(started, false);
    });
  }

  /** The answer if an earlier request had the key. */
  public Optional<StartAnswer> known(IdempotencyKey key) throws SQLException {
    return database.inAutocommit(connection -> Optional.ofNullable(known(connection, key)));
  }

  private static @Nullable StartAnswer known(Connection connection, IdempotencyKey key)
      throws SQLException {
    StartKeys.Used used = StartKeys.look(connection, key);
    if (used == null) {
      return null;
    }
    return used.repeated()
        ? new StartAnswer.Started(find(connection, used.id()).orElseThrow().begun(), true)
        : new StartAnswer.KeyReused(used.at(), used.id());
  }

  /** The jobs among the plan's ids that its action can be done to now, with their queues. */
  public Map<UUID, String> fitting(OperationPlan plan) throws SQLException {
    return database.inAutocommit(connection -> {
      Map<UUID, JobPlace> places = JobPlaces.of(connection, plan.ids(), null);
      Map<UUID, String> fitting = new LinkedHashMap<>();
      for (JobScan.FoundJob job : OperationItems.queuesOf(connection, plan.ids())) {
        JobPlace place = places.getOrDefault(job.id(), JobPlace.NOT_FOUND);
        if (!job.queue().isEmpty() && place.fits(plan.action())) {
          fitting.put(job.id(), job.queue());
        }
      }
      return fitting;
    });
  }

  /** The operation of that id. */
  public Optional<OperationView> find(UUID id) throws SQLException {
    return database.inAutocommit(connection -> find(connection, id));
  }

  private static Optional<OperationView> find(Connection connection, UUID id) throws SQLException {
    return Optional.ofNullable(
        Statements.first(connection, FIND, p -> p.id(id), OperationRow::view));
  }

  /** The states of the operations by id; none for what is unknown. */
  public Map<UUID, String> states(List<UUID> ids) throws SQLException {
    return database
        .inAutocommit(connection ->
            Statements.list(
                connection,
                STATES,
                p -> p.ids(ids),
                row -> Map.entry(row.getObject("id", UUID.class), row.getString("state"))))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /**
   * Operations, newest first.
   *
   * @param before only older ones than that; {@code null} for the newest
   */
  public List<OperationView> page(@Nullable UUID before, int limit) throws SQLException {
    UUID below = before == null ? LAST : before;
    return database.inAutocommit(connection ->
        Statements.list(connection, PAGE, p -> p.id(below).integer(limit), OperationRow::view));
  }

  /** Has the operation wait; answers it as it is then, be it that it had ended. */
  public Optional<OperationView> pause(UUID id, Act act) throws SQLException {
    return database.inTransaction(connection -> {
      if (Statements.update(connection, PAUSE, p -> p.text(act.reason()).id(id)) == 1) {
        Audit.write(connection, act, "operation.pause", id.toString(), 1);
      }
      return find(connection, id);
    });
  }

  /** Has a paused operation go on; answers it as it is then, be it that it had ended. */
  public Optional<OperationView> resume(UUID id, Act act) throws SQLException {
    return database.inTransaction(connection -> {
      if (Statements.update(connection, RESUME, p -> p.id(id)) == 1) {
        Audit.write(connection, act, "operation.resume", id.toString(), 1);
      }
      return find(connection, id);
    });
  }

  /** Ends the operation: what it did stays. Answers it as it is then. */
  public Optional<OperationView> cancel(UUID id, Act act) throws SQLException {
    return database.inTransaction(connection -> {
      Long done =
          Statements.first(
              connection, CANCEL, p -> p.text(act.reason()).id(id), row -> row.getLong(1));
      if (done != null) {
        OperationItems.forgetWaiting(connection, id);
        Audit.write(connection, act, "operation.cancel", id.toString(), done);
      }
      return find(connection, id);
    });
  }

  /**
   * What became of the operation's jobs, in the order of their ids.
   *
   * @param after only behind this job; {@code null} from the beginning
   */
  public List<OperationItem> report(UUID id, @Nullable UUID after, int limit) throws SQLException {
    UUID behind = after == null ? ItemOutcomes.FIRST : after;
    return database.inAutocommit(connection -> OperationItems.page(connection, id, behind, limit));
  }

  /** Jobs of the stage, those that failed first; found among the operation's 2,000 newest jobs. */
  public List<OperationItem> stage(UUID id, int stage, int limit) throws SQLException {
    return database.inAutocommit(
        connection -> OperationItems.ofStage(connection, id, stage, limit));
  }

  /** Deletes some of what ended more than 30 days ago, and answers whether there was any. */
  public boolean forget() throws SQLException {
    return database.inTransaction(connection -> {
      UUID oldest =
          Statements.first(connection, OLDEST, _ -> {}, row -> row.getObject(1, UUID.class));
      if (oldest == null) {
        return false;
      }
      Statements.update(
          connection, FORGET_ITEMS, p -> p.id(oldest).id(oldest).integer(MOST_FORGOTTEN));
      return Statements.update(connection, FORGET, p -> p.id(oldest)) >= 0;
    });
  }
}
