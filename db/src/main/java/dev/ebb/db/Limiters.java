package dev.ebb.db;

import static java.util.Objects.requireNonNull;

import dev.ebb.core.Cut;
import dev.ebb.core.LimiterState;
import dev.ebb.core.RateLimit;
import dev.ebb.core.RetryPolicy;
import dev.ebb.core.WarmUpLimiter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The limiters of the queues that have one: read and written in the queue's turn, by the database's
 * clock.
 */
public final class Limiters {
  private static final String TURN =
      """
      select
        set_config('lock_timeout', ?, true),
        set_config('statement_timeout', ?, true),
        set_config('enable_seqscan', 'off', true),
        set_config('enable_bitmapscan', 'off', true),
        set_config('jit', 'off', true),
        set_config('transaction_isolation', 'read committed', true),
        pg_advisory_xact_lock(6644322, hashtext(?));
      """;

  private static final String LOOK =
      """
      select
        q.policy::text, q.rate_limit::text, q.max_concurrency,
        l.coldness, l.next_free_at, l.cut_ceiling, l.cut_factor, l.cut_at,
        l.cut_quiet_since,
        clock_timestamp() as now,
        case when ? and q.max_concurrency is not null then (
          select count(*)
          from ebb.leased x
          join ebb.job j on j.id = x.id and j.version = x.version
          where x.queue = q.name)
        end as in_flight
      from ebb.queue q
      left join ebb.limiter l on l.queue = q.name
      where q.name = ?
      """;

  // The clock is read behind the turn: two visits see it in the order of their turns.
  private static final String LOOK_IN_TURN = TURN + LOOK;

  private static final String WRITE =
      """
      insert into ebb.limiter as l (
        queue, coldness, next_free_at, cut_ceiling, cut_factor, cut_at, cut_quiet_since)
      values (?, ?, ?, ?, ?, ?, ?)
      on conflict (queue) do update
      set coldness = excluded.coldness, next_free_at = excluded.next_free_at,
        cut_ceiling = excluded.cut_ceiling, cut_factor = excluded.cut_factor,
        cut_at = excluded.cut_at, cut_quiet_since = excluded.cut_quiet_since
      returning set_config('synchronous_commit', ?, true)
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
   * A queue's limits, and where its limiter stands.
   *
   * @param policy of jobs that bring none
   * @param rate {@code null} for no limit of the rate
   * @param maxConcurrency how many jobs may run at a time; {@code null} for no such limit
   * @param inFlight how many are claimed; 0 where nobody asked
   * @param now the database's clock
   */
  public record Seen(
      RetryPolicy policy,
      @Nullable RateLimit rate,
      @Nullable Integer maxConcurrency,
      LimiterState state,
      int inFlight,
      Instant now) {
    boolean isLimited() {
      return rate != null || maxConcurrency != null;
    }
  }

  /** The queue's limits as they are now; empty if there is no such queue. */
  public Optional<Seen> find(String queue) throws SQLException {
    try (Connection connection = database.connection()) {
      return Optional.ofNullable(look(connection, queue));
    }
  }

  private static @Nullable Seen look(Connection connection, String queue) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LOOK)) {
      statement.setBoolean(1, false);
      statement.setString(2, queue);
      try (ResultSet row = statement.executeQuery()) {
        return seen(row);
      }
    }
  }

  /**
   * Takes the queue's turn until the transaction ends; {@code null} if the queue has no settings.
   *
   * @param counting whether to count what is in flight
   */
  static @Nullable Seen takeTurn(
      Connection connection, String queue, Patience patience, boolean counting)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LOOK_IN_TURN)) {
      statement.setString(1, Patience.setting(patience.turn()));
      statement.setString(2, Patience.setting(patience.claim()));
      statement.setString(3, queue);
      statement.setBoolean(4, counting);
      statement.setString(5, queue);
      try (ResultSet row = Statements.secondResult(statement)) {
        return seen(row);
      }
    }
  }

  private static @Nullable Seen seen(ResultSet row) throws SQLException {
    if (!row.next()) {
      return null;
    }
    Instant now = JobRow.instant(row, "now");
    int maxConcurrency = row.getInt("max_concurrency");
    return new Seen(
        JobRow.policy(row.getString("policy"), JobRow.DEFAULT_POLICY),
        JobRow.rateLimit(row.getString("rate_limit")),
        maxConcurrency == 0 ? null : maxConcurrency,
        state(row, now),
        row.getInt("in_flight"),
        now);
  }

  private static LimiterState state(ResultSet row, Instant now) throws SQLException {
    Instant nextFreeAt = JobRow.instantOrNull(row, "next_free_at");
    if (nextFreeAt == null) {
      return LimiterState.cold(now);
    }
    Instant cutAt = JobRow.instantOrNull(row, "cut_at");
    Cut cut =
        cutAt == null
            ? null
            : new Cut(
                row.getDouble("cut_ceiling"),
                row.getDouble("cut_factor"),
                cutAt,
                JobRow.instant(row, "cut_quiet_since"));
    return new LimiterState(row.getDouble("coldness"), nextFreeAt, cut);
  }

  /**
   * Writes where the limiter stands; in the queue's turn.
   *
   * @param durable whether the commit waits for the disk
   */
  static void write(Connection connection, String queue, LimiterState state, boolean durable)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(WRITE)) {
      statement.setString(1, queue);
      statement.setDouble(2, state.coldness());
      statement.setObject(3, time(state.nextFreeAt()));
      Cut cut = state.cut();
      statement.setObject(4, cut == null ? null : cut.ceiling(), Types.DOUBLE);
      statement.setObject(5, cut == null ? null : cut.factor(), Types.DOUBLE);
      statement.setObject(6, cut == null ? null : time(cut.at()), Types.TIMESTAMP_WITH_TIMEZONE);
      statement.setObject(
          7, cut == null ? null : time(cut.quietSince()), Types.TIMESTAMP_WITH_TIMEZONE);
      statement.setString(8, durable ? "on" : "off");
      statement.execute();
    }
  }

  private static OffsetDateTime time(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }

  /** What becomes of a ramp when its queue's settings are replaced. */
  enum Ramp {
    GOES_ON,
    BEGINS_ANEW,
    /** Without the time since the last permit: the queue was paused. */
    GOES_ON_AS_LEFT
  }

  /**
   * Carries the limiter of a queue over to other settings, in the transaction that replaced them.
   *
   * @param before by which the time until now is counted: its warm-up period may be another
   */
  static void carryOver(Connection connection, String queue, RateLimit before, Ramp ramp)
      throws SQLException {
    var _ =
        change(
            connection,
            queue,
            OF_PEOPLE,
            seen ->
                switch (ramp) {
                  case GOES_ON ->
                      new WarmUpLimiter(before).take(seen.state(), seen.now(), 0).state();
                  case BEGINS_ANEW -> seen.state().chilled();
                  case GOES_ON_AS_LEFT -> seen.state().usedUntil(seen.now());
                });
  }

  /** Begins the queue's ramp anew; false if it has none. */
  public boolean chill(String queue) throws SQLException {
    return database.inTransaction(connection -> chill(connection, queue));
  }

  // A queue without a ramp pays no turn.
  static boolean chill(Connection connection, String queue) throws SQLException {
    return hasRamp(look(connection, queue))
        && change(connection, queue, OF_PEOPLE, seen -> seen.state().chilled());
  }

  private static boolean hasRamp(@Nullable Seen seen) {
    return seen != null && seen.rate() != null && !seen.rate().warmUp().isZero();
  }

  /**
   * Tells the queue's limiter, if it has one, that the receiver throttled an attempt.
   *
   * @param claimedAt the attempt's claim, by the database's clock
   * @throws SQLException with the state 55P03 if the queue's turn did not come within a quarter of
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
   * Changes where the limiter of a queue stands, in the queue's turn; false if its rate has no
   * limit.
   */
  private static boolean change(
      Connection connection, String queue, Patience patience, Function<Seen, LimiterState> change)
      throws SQLException {
    Seen seen = takeTurn(connection, queue, patience, false);
    if (seen == null || seen.rate() == null) {
      return false;
    }
    LimiterState after = change.apply(seen);
    if (!after.equals(seen.state())) {
      write(connection, queue, after, true);
    }
    return true;
  }
}
