package dev.ebb.db.queue;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.access.Act;
import dev.ebb.core.http.Destination;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.core.tls.TlsSettings;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.named.Policies;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The queues and their settings: every verb that people use on a queue. */
public final class Queues {
  /** The act of changing a destination's signing keys. */
  static final String KEYS = "destination.keys";

  private static final String FORGET_LIMITER =
      """
      delete from ebb.limiter l
      where l.queue = ?
        and not exists (
          select from ebb.queue q where q.name = l.queue and q.rate_limit is not null)
      """;

  private static final String MAY_GO =
      """
      select case
        when exists (select from ebb.job j where j.queue = w.name) then 'HAS_JOBS'
        when exists (select from ebb.lease l where l.queue = w.name) then 'HAS_LEASES'
        when exists (select from ebb.dead_letter d where d.queue = w.name) then 'HAS_DEAD_LETTERS'
        else 'REMOVED'
      end
      from (select ?::text as name) w
      """;

  private static final String SEALS =
      """
      select ebb.sealing_keys() <> '{}'
      """;

  private final Database database;

  public Queues(Database database) {
    this.database = database;
  }

  /** A queue whose settings were written, and whether it had none before. */
  public record QueueWrite(QueueView queue, boolean created) {}

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
   * A page of the queues that are destinations.
   *
   * @param after the name before the first one on the page; {@code null} for the first page
   * @param limit of queues
   */
  public QueuePage destinations(@Nullable String after, int limit) throws SQLException {
    String from = after == null ? "" : after;
    return database.inAutocommit(connection -> QueueReads.destinations(connection, from, limit));
  }

  /** Those of the queues that are destinations. */
  public Set<String> destinations(Collection<String> among) throws SQLException {
    return database.inAutocommit(connection -> QueueReads.destinations(connection, among));
  }

  /** Whether any secret is stored encrypted. */
  public boolean seals() throws SQLException {
    return database.inAutocommit(
        connection -> Statements.one(connection, SEALS, _ -> {}, row -> row.getBoolean(1)));
  }

  /**
   * Queues that are paused, the latest first.
   *
   * @param limit of queues
   */
  public List<QueueView> paused(int limit) throws SQLException {
    return database.inAutocommit(connection -> QueueReads.paused(connection, limit));
  }

  /** The names of up to 10,000 paused queues. */
  public Set<String> pausedNames() throws SQLException {
    return database.inAutocommit(Queues::pausedNames);
  }

  /** The same, by a connection that is there. */
  public static Set<String> pausedNames(Connection connection) throws SQLException {
    return QueueReads.pausedNames(connection);
  }

  /**
   * Names of queues whose rate throttling cut, the latest cut first. Some may have recovered since.
   *
   * @param limit of queues
   */
  public List<String> cut(int limit) throws SQLException {
    return database.inAutocommit(connection -> QueueReads.cut(connection, limit));
  }

  /** Creates the queue or replaces its settings, whatever they are, and answers which. */
  public boolean put(String name, QueueSettings settings, boolean warmUp, Act act)
      throws SQLException {
    return put(name, settings, warmUp, act, _ -> {}).created();
  }

  /**
   * Creates the queue or replaces its settings. The limiter's stored permits keep their share of
   * the most that can be stored. A queue that stays paused keeps its pause, and when that ends; a
   * destination keeps its address.
   *
   * @param warmUp whether a queue that is resumed restarts its warm-up; otherwise the warm-up goes
   *     on as it was before the pause
   * @param condition told how the settings are, under their lock, empty if there are none; it
   *     throws to leave them so
   * @throws dev.ebb.core.InvalidInput if the name is not one for a queue, or none is stored of the
   *     policy that it is to follow
   */
  public QueueWrite put(
      String name,
      QueueSettings settings,
      boolean warmUp,
      Act act,
      Consumer<Optional<QueueView>> condition)
      throws SQLException {
    return put(name, settings, (written, _) -> written, warmUp, act, condition);
  }

  /**
   * Creates a destination, or replaces all that it has but its pause, its keys and its TLS.
   *
   * @param settings with an address
   * @throws dev.ebb.core.InvalidInput as of {@link #put}
   */
  public QueueWrite putDestination(
      String name, QueueSettings settings, Act act, Consumer<Optional<QueueView>> condition)
      throws SQLException {
    return put(
        name,
        settings,
        (written, before) -> written.withPaused(before.paused()),
        false,
        act,
        condition);
  }

  /**
   * Changes the keys with which deliveries to a destination are signed, and answers how it is then;
   * empty if there is no such destination.
   *
   * @param change told the keys as they are, under their lock; it throws to leave them so
   */
  public Optional<QueueView> changeKeys(
      String name, UnaryOperator<List<SigningKey>> change, Act act) throws SQLException {
    return changeAddress(
        name,
        KEYS,
        act,
        (connection, address) ->
            QueueRow.changeKeys(connection, name, change.apply(address.signing())));
  }

  /**
   * Changes what a destination has of its own for TLS, and answers how it is then; empty if there
   * is no such destination.
   *
   * @param tls {@code null} for nothing
   */
  public Optional<QueueView> changeTls(String name, @Nullable TlsSettings tls, Act act)
      throws SQLException {
    return changeAddress(
        name, "destination.tls", act, (connection, _) -> QueueRow.changeTls(connection, name, tls));
  }

  private interface AddressChange {
    QueueView write(Connection connection, Destination before) throws SQLException;
  }

  private Optional<QueueView> changeAddress(
      String name, String action, Act act, AddressChange change) throws SQLException {
    return database.inTransaction(connection -> {
      LockedAddress locked = LockedAddress.of(connection, name);
      return locked == null
          ? Optional.empty()
          : Optional.of(locked.changed(change.write(connection, locked.address()), action, act));
    });
  }

  private QueueWrite put(
      String name,
      QueueSettings settings,
      BinaryOperator<QueueSettings> keeping,
      boolean warmUp,
      Act act,
      Consumer<Optional<QueueView>> condition)
      throws SQLException {
    NewJob.requireQueue(name);
    return database.inTransaction(connection -> {
      // The policy is locked before the queue, as by those who replace a policy.
      QueueSettings resolved = resolved(connection, settings);
      QueueWrite written = null;
      QueueRow.Before before = null;
      // Somebody may create the row, or remove it, between two statements.
      while (written == null) {
        before = QueueRow.lock(connection, name);
        condition.accept(Optional.ofNullable(before).map(QueueRow.Before::view));
        written =
            before == null
                ? create(connection, name, resolved, act)
                : replace(
                    connection,
                    before,
                    keeping.apply(resolved, before.view().settings()),
                    warmUp,
                    act);
      }
      Audit.write(
          connection, act, "queue.put", name, QueueChanges.of(view(before), written.queue()));
      return written;
    });
  }

  private static @Nullable QueueView view(QueueRow.@Nullable Before before) {
    return before == null ? null : before.view();
  }

  private static QueueSettings resolved(Connection connection, QueueSettings settings)
      throws SQLException {
    String name = settings.policyName();
    return name == null ? settings : settings.withPolicy(Policies.followed(connection, name));
  }

  private static @Nullable QueueWrite create(
      Connection connection, String name, QueueSettings settings, Act act) throws SQLException {
    QueueView created = QueueRow.insert(connection, name, settings, act);
    return created == null ? null : new QueueWrite(created, true);
  }

  private static QueueWrite replace(
      Connection connection,
      QueueRow.Before before,
      QueueSettings settings,
      boolean warmUp,
      Act act)
      throws SQLException {
    QueueView replaced = QueueRow.update(connection, before, settings, act);
    Circuits.follow(
        connection, replaced.name(), before.view().settings().destination(), replaced.settings());
    if (settings.rateLimit() == null) {
      forgetLimiter(connection, replaced.name());
    } else {
      carryOver(connection, before, !settings.paused() && warmUp);
    }
    return new QueueWrite(replaced, false);
  }

  /**
   * Pauses a queue, keeps its other settings, and answers how it is then. A queue without settings
   * gets the defaults.
   *
   * @param until when the pause ends by itself; {@code null} for never
   * @throws dev.ebb.core.InvalidInput if that lies in the past
   */
  public QueueView pause(String name, @Nullable Instant until, Act act) throws SQLException {
    NewJob.requireQueue(name);
    return database.inTransaction(connection -> {
      QueueRow.Before before = QueueRow.lock(connection, name);
      QueueView paused = QueueRow.pause(connection, name, until, act);
      require(paused.pause() != null, "until", "must lie in the future");
      carryOver(connection, before, false);
      Audit.write(connection, act, "queue.pause", name, QueueChanges.of(view(before), paused));
      return paused;
    });
  }

  /**
   * Resumes a queue, keeps its other settings, and answers how it is then. A queue without settings
   * gets the defaults; empty if it has neither settings nor jobs.
   *
   * @param warmUp whether a queue that was paused restarts its warm-up; otherwise the warm-up goes
   *     on as it was before the pause
   */
  public Optional<QueueView> resume(String name, boolean warmUp, Act act) throws SQLException {
    NewJob.requireQueue(name);
    return database.inTransaction(connection -> {
      QueueRow.Before before = QueueRow.lock(connection, name);
      QueueView resumed = QueueRow.resume(connection, name);
      if (resumed != null) {
        carryOver(connection, before, warmUp);
        Audit.write(connection, act, "queue.resume", name, QueueChanges.of(view(before), resumed));
      }
      return Optional.ofNullable(resumed);
    });
  }

  /** What came of a removal. */
  public enum Removal {
    REMOVED,
    NO_SETTINGS,
    HAS_JOBS,
    HAS_LEASES,
    HAS_DEAD_LETTERS
  }

  /**
   * Removes the settings and the limiter of a queue that has neither jobs nor dead letters. A job
   * that is submitted meanwhile follows the defaults.
   *
   * @param condition as of {@link #put}; not asked where there are no settings
   */
  public Removal remove(String name, Act act, Consumer<Optional<QueueView>> condition)
      throws SQLException {
    return database.inTransaction(connection -> {
      QueueRow.Before before = QueueRow.lock(connection, name);
      if (before == null) {
        return Removal.NO_SETTINGS;
      }
      condition.accept(Optional.of(before.view()));
      Removal removal = mayGo(connection, name);
      if (removal == Removal.REMOVED) {
        QueueRow.remove(connection, name);
        forgetLimiter(connection, name);
        Circuits.forget(connection, name);
        Audit.write(connection, act, "queue.delete", name, QueueChanges.of(before.view(), null));
      }
      return removal;
    });
  }

  private static Removal mayGo(Connection connection, String name) throws SQLException {
    return Statements.one(
        connection, MAY_GO, p -> p.text(name), row -> Removal.valueOf(row.getString(1)));
  }

  private static void carryOver(
      Connection connection, QueueRow.@Nullable Before before, boolean restarts)
      throws SQLException {
    RateLimit rate = before == null ? null : before.rate();
    if (before != null && rate != null) {
      Limiters.WarmUp warmUp = warmUp(before.paused(), restarts);
      Limiters.carryOver(connection, before.view().name(), rate, before.endedPause(), warmUp);
    }
  }

  /** A pause counts as idle time only if the warm-up restarts. */
  private static Limiters.WarmUp warmUp(boolean wasPaused, boolean restarts) {
    if (!wasPaused) {
      return Limiters.WarmUp.GOES_ON;
    }
    return restarts ? Limiters.WarmUp.RESTARTS : Limiters.WarmUp.GOES_ON_AS_LEFT;
  }

  private static void forgetLimiter(Connection connection, String name) throws SQLException {
    QueueLock.take(connection, name);
    Statements.run(connection, FORGET_LIMITER, p -> p.text(name));
  }
}
