package dev.ebb.db.queue;

import static java.util.Objects.requireNonNull;

import dev.ebb.core.access.Act;
import dev.ebb.core.circuit.Circuit;
import dev.ebb.core.circuit.CircuitRule;
import dev.ebb.core.http.Destination;
import dev.ebb.core.limit.LimiterState;
import dev.ebb.core.limit.RateCut;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.limit.Shortage;
import dev.ebb.core.limit.WarmUpLimiter;
import dev.ebb.core.retry.RetryPolicy;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Patience;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.json.CircuitJson;
import dev.ebb.db.json.DestinationJson;
import dev.ebb.db.json.StoredSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The limiters of the queues that have one: read and written under the queue's lock, by the
 * database's clock.
 */
public final class Limiters {
  private static final String VIEW =
      """
      select
        q.name, q.policy::text, q.rate_limit::text, q.max_concurrency, q.weight,
        q.destination::text, c.state::text as circuit,
        l.coldness, l.next_free_at, l.cut_ceiling, l.cut_factor, l.cut_at,
        l.cut_quiet_since, l.short_since, l.short_until,
        case when q.paused then q.paused_until end as pause_end,
        clock_timestamp() as now,
        case when ? and q.max_concurrency is not null then (
          select count(*)
          from ebb.lease x
          cross join unnest(x.job_ids, x.versions) as named (id, version)
          join ebb.job j on j.id = named.id and j.version = named.version
          where x.queue = q.name
            and x.id >= \
      """;

  private static final String OF_QUEUE =
      """
      )
        end as in_flight
      from ebb.queue q
      left join ebb.limiter l on l.queue = q.name
      left join ebb.circuit c on c.queue = q.name
      """;

  private static final String READ = VIEW + "0" + OF_QUEUE + "where q.name = ?";

  // The clock is read after the lock: two claims see it in the order in which they got the lock.
  private static final String LOCK_AND_READ = QueueLock.TAKE_WITH_SETTINGS + READ;

  /**
   * The queues whose locks are {@linkplain QueueLock#TAKEN taken}, each as {@link #view} reads it;
   * none for one without settings. Its parameters are whether to count what is in flight, and as
   * arrays: queues, an id below which each has no lease, and since when that is so.
   */
  public static final String LOCKED =
      VIEW
          + """
          coalesce((
            select max(t.leases_from)
            from unnest(?::text[], ?::bigint[], ?::timestamptz[])
              as t (queue, leases_from, read_at)
            where t.queue = q.name and t.read_at <= statement_timestamp()), 0)\
          """
          + OF_QUEUE
          + "where q.name = any ("
          + QueueLock.TAKEN
          + ")";

  private static final String LIMITED =
      """
      select q.name
      from ebb.queue q
      where q.name = any (?)
        and q.rate_limit is not null
      order by q.name
      """;

  private static final Patience OF_PEOPLE =
      new Patience(Duration.ofSeconds(5), Duration.ofSeconds(5));
  private static final Patience OF_A_NODE =
      new Patience(Duration.ofMillis(250), Duration.ofSeconds(1));

  private final Database database;

  public Limiters(Database database) {
    this.database = database;
  }

  /**
   * A queue's limits, and the state of its limiter.
   *
   * @param policy for jobs without one of their own
   * @param rate {@code null} for no limit of the rate
   * @param maxConcurrency how many jobs may run at a time; {@code null} for no such limit
   * @param weight its share of a node's slots, in relation to other queues
   * @param shortage when its limiter had no permit left the last time; {@code null} for never
   * @param inFlight how many jobs are claimed; 0 where nobody asked
   * @param destination the queue's address as JSON; {@code null} if it has none
   * @param circuitRule {@code null} if it is no destination, or one without a circuit
   * @param circuit {@code null} where there is no rule for it
   * @param now the database's clock
   */
  public record LimiterView(
      RetryPolicy policy,
      @Nullable RateLimit rate,
      @Nullable Integer maxConcurrency,
      int weight,
      LimiterState state,
      @Nullable Shortage shortage,
      int inFlight,
      @Nullable String destination,
      @Nullable CircuitRule circuitRule,
      @Nullable Circuit circuit,
      Instant now) {
    /** That of a queue with this limit alone, which has never been used: for rehearsals. */
    public static LimiterView of(RateLimit rate) {
      Instant now = Instant.EPOCH;
      LimiterState cold = LimiterState.cold(now);
      return new LimiterView(
          StoredSettings.DEFAULT_POLICY,
          rate,
          null,
          QueueSettings.DEFAULT_WEIGHT,
          cold,
          null,
          0,
          null,
          null,
          null,
          now);
    }

    public boolean isLimited() {
      return rate != null || maxConcurrency != null;
    }

    /** No claim gets more, however little the limits were used. */
    public int mostAtOnce() {
      int inFlight = maxConcurrency == null ? Integer.MAX_VALUE : maxConcurrency;
      int most = circuit == null ? inFlight : Math.min(inFlight, circuit.mostAtOnce());
      return rate == null ? most : Math.min(most, WarmUpLimiter.mostAtOnce(rate));
    }

    /** How many more may be in flight. */
    public int free() {
      return maxConcurrency == null ? Integer.MAX_VALUE : Math.max(0, maxConcurrency - inFlight);
    }

    /** How many may start now, but for its rate. */
    public int room() {
      return circuit == null ? free() : Math.min(free(), circuit.admits(now));
    }

    /** The same if people gave the queue that limit now: its warm-up goes on. */
    public LimiterView with(RateLimit other) {
      LimiterState after =
          rate == null ? LimiterState.cold(now) : carried(state, now, rate, WarmUp.GOES_ON);
      return new LimiterView(
          policy,
          other,
          maxConcurrency,
          weight,
          after,
          shortage,
          inFlight,
          destination,
          circuitRule,
          circuit,
          now);
    }

    /** The shortage as far as it has passed, for what is claimed now. */
    public @Nullable Shortage shortageUntilNow() {
      return shortage == null ? null : shortage.until(now);
    }
  }

  /** The queue's limits as they are now; empty if there is no such queue. */
  public Optional<LimiterView> find(String queue) throws SQLException {
    return database.inAutocommit(connection -> Optional.ofNullable(read(connection, queue)));
  }

  private static @Nullable LimiterView read(Connection connection, String queue)
      throws SQLException {
    return Statements.first(connection, READ, p -> p.flag(false).text(queue), Limiters::view);
  }

  /**
   * Takes the queue's lock until the transaction ends; {@code null} if the queue has no settings.
   *
   * @param counting whether to count what is in flight
   */
  public static @Nullable LimiterView lock(
      Connection connection, String queue, Patience patience, boolean counting)
      throws SQLException {
    List<LimiterView> seen = new ArrayList<>();
    Statements.eachBehindSettings(
        connection,
        LOCK_AND_READ,
        p ->
            p.text(Patience.setting(patience.lock()))
                .text(Patience.setting(patience.statement()))
                .text(queue)
                .flag(counting)
                .text(queue),
        row -> seen.add(view(row)));
    return seen.isEmpty() ? null : seen.getFirst();
  }

  /** A row as a view of its queue, which the column {@code name} tells. */
  public static LimiterView view(ResultSet row) throws SQLException {
    Instant now = Rows.instant(row, "now");
    int maxConcurrency = row.getInt("max_concurrency");
    int weight = row.getInt("weight");
    String destination = row.getString("destination");
    CircuitRule rule = circuitRule(destination);
    return new LimiterView(
        StoredSettings.policy(row.getString("policy"), StoredSettings.DEFAULT_POLICY),
        StoredSettings.rateLimit(row.getString("rate_limit")),
        maxConcurrency == 0 ? null : maxConcurrency,
        weight == 0 ? QueueSettings.DEFAULT_WEIGHT : weight,
        state(row, now).after(endedPause(row, now)),
        ShortageColumns.read(row),
        row.getInt("in_flight"),
        destination,
        rule,
        rule == null ? null : CircuitJson.read(row.getString("circuit"), now),
        now);
  }

  private static @Nullable CircuitRule circuitRule(@Nullable String destination) {
    Destination address = DestinationJson.stored(destination);
    return address != null && address.circuit().enabled() ? address.circuit() : null;
  }

  /** When the pause ended that the row still tells of; {@code null} for none. */
  private static @Nullable Instant endedPause(ResultSet row, Instant now) throws SQLException {
    Instant end = Rows.instantOrNull(row, "pause_end");
    return end == null || end.isAfter(now) ? null : end;
  }

  private static LimiterState state(ResultSet row, Instant now) throws SQLException {
    Instant nextFreeAt = Rows.instantOrNull(row, "next_free_at");
    if (nextFreeAt == null) {
      return LimiterState.cold(now);
    }
    Instant cutAt = Rows.instantOrNull(row, "cut_at");
    RateCut cut =
        cutAt == null
            ? null
            : new RateCut(
                row.getDouble("cut_ceiling"),
                row.getDouble("cut_factor"),
                cutAt,
                Rows.instant(row, "cut_quiet_since"));
    return new LimiterState(row.getDouble("coldness"), nextFreeAt, cut);
  }

  /** How a warm-up continues when its queue's settings are replaced. */
  enum WarmUp {
    GOES_ON,
    RESTARTS,
    /** It goes on, without the time since the last permit: the queue was paused. */
    GOES_ON_AS_LEFT
  }

  /**
   * Carries the limiter of a queue over to other settings, in the transaction that replaced them.
   *
   * @param before the limit by which the time until now counts: its warm-up period may be another
   * @param endedPause when a pause ended by itself of which the replaced settings told
   */
  static void carryOver(
      Connection connection,
      String queue,
      RateLimit before,
      @Nullable Instant endedPause,
      WarmUp warmUp)
      throws SQLException {
    var _ =
        change(
            connection,
            queue,
            OF_PEOPLE,
            seen -> carried(seen.state().after(endedPause), seen.now(), before, warmUp));
  }

  private static LimiterState carried(
      LimiterState state, Instant now, RateLimit before, WarmUp warmUp) {
    return switch (warmUp) {
      case GOES_ON -> new WarmUpLimiter(before).take(state, now, 0).state();
      case RESTARTS -> state.restarted();
      case GOES_ON_AS_LEFT -> state.usedUntil(now);
    };
  }

  /** Restarts the queue's warm-up; false if it has none. */
  public boolean restartWarmUp(String queue, Act act) throws SQLException {
    return database.inTransaction(connection -> {
      boolean restarted = restartWarmUp(connection, queue);
      if (restarted) {
        Audit.write(connection, act, "queue.warm_up", queue, 1);
      }
      return restarted;
    });
  }

  /** Those of the queues whose rate is limited. */
  public static List<String> limited(Connection connection, Collection<String> queues)
      throws SQLException {
    return Statements.list(connection, LIMITED, p -> p.texts(queues), row -> row.getString("name"));
  }

  // A queue without a warm-up needs no lock.
  public static boolean restartWarmUp(Connection connection, String queue) throws SQLException {
    return warmsUp(read(connection, queue))
        && change(connection, queue, OF_PEOPLE, seen -> seen.state().restarted());
  }

  /** Restarts the warm-up of a queue whose lock the transaction has. */
  static void restartLocked(Connection connection, String queue) throws SQLException {
    var _ = change(connection, queue, OF_A_NODE, seen -> seen.state().restarted());
  }

  private static boolean warmsUp(@Nullable LimiterView seen) {
    return seen != null && seen.rate() != null && !seen.rate().warmUp().isZero();
  }

  /**
   * Tells the queue's limiter, if it has one, that the receiver throttled an attempt.
   *
   * @param claimedAt the attempt's claim, by the database's clock
   * @throws SQLException with the state 55P03 if the queue's lock was not free within a quarter of
   *     a second
   */
  public void throttled(String queue, Instant claimedAt) throws SQLException {
    database.inTransaction(connection ->
        change(
            connection,
            queue,
            OF_A_NODE,
            seen ->
                new WarmUpLimiter(requireNonNull(seen.rate()))
                    .throttled(seen.state(), claimedAt, seen.now())));
  }

  /**
   * Changes the state of a queue's limiter, under the queue's lock; false if its rate has no limit.
   */
  private static boolean change(
      Connection connection,
      String queue,
      Patience patience,
      Function<LimiterView, LimiterState> change)
      throws SQLException {
    LimiterView seen = lock(connection, queue, patience, false);
    if (seen == null || seen.rate() == null) {
      return false;
    }
    LimiterState after = change.apply(seen);
    if (!after.equals(seen.state())) {
      LimiterRow.Write write = new LimiterRow.Write(queue, after, seen.shortage());
      var _ =
          Statements.update(connection, LimiterRow.WRITE, p -> LimiterRow.bind(p, List.of(write)));
    }
    return true;
  }
}
