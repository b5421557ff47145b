package dev.ebb.db.connection;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Gives a statement its parameters one after another, in the order of its question marks. */
public final class Parameters {
  private final PreparedStatement statement;
  private int last;

  private Parameters(PreparedStatement statement) {
    this.statement = statement;
  }

  /** Begins with the first. */
  public static Parameters of(PreparedStatement statement) {
    return new Parameters(statement);
  }

  private int next() {
    return ++last;
  }

  public Parameters text(@Nullable String value) throws SQLException {
    statement.setString(next(), value);
    return this;
  }

  public Parameters integer(@Nullable Integer value) throws SQLException {
    statement.setObject(next(), value, Types.INTEGER);
    return this;
  }

  public Parameters bigint(long value) throws SQLException {
    statement.setLong(next(), value);
    return this;
  }

  public Parameters real(@Nullable Double value) throws SQLException {
    statement.setObject(next(), value, Types.DOUBLE);
    return this;
  }

  public Parameters flag(boolean value) throws SQLException {
    statement.setBoolean(next(), value);
    return this;
  }

  public Parameters id(UUID value) throws SQLException {
    statement.setObject(next(), value);
    return this;
  }

  /** The id; {@code null} for none. */
  public Parameters idOrNull(@Nullable UUID value) throws SQLException {
    statement.setObject(next(), value, Types.OTHER);
    return this;
  }

  public Parameters time(@Nullable Instant value) throws SQLException {
    statement.setObject(
        next(),
        value == null ? null : value.atOffset(ZoneOffset.UTC),
        Types.TIMESTAMP_WITH_TIMEZONE);
    return this;
  }

  /** The duration in microseconds. */
  public Parameters micros(Duration value) throws SQLException {
    return bigint(Rows.micros(value));
  }

  /** The same; {@code null} for none. */
  public Parameters microsOrNull(@Nullable Duration value) throws SQLException {
    statement.setObject(next(), value == null ? null : Rows.micros(value), Types.BIGINT);
    return this;
  }

  /** The ids of leases, as one array. */
  public Parameters leases(Collection<Long> ids) throws SQLException {
    statement.setObject(next(), ids.stream().mapToLong(Long::longValue).toArray());
    return this;
  }

  /** Texts as one array. */
  public Parameters texts(@Nullable Collection<String> values) throws SQLException {
    if (values == null) {
      statement.setNull(next(), Types.ARRAY);
      return this;
    }
    String[] texts = values.toArray(String[]::new);
    statement.setArray(next(), statement.getConnection().createArrayOf("text", texts));
    return this;
  }

  /** The ids of jobs, as one array. */
  public Parameters ids(List<UUID> values) throws SQLException {
    statement.setArray(next(), UuidArray.of(statement.getConnection(), values));
    return this;
  }

  /** The rows that come next, an array for each of their columns. */
  public <T> Columns<T> columns(List<T> rows) {
    return new Columns<>(statement, this::next, rows);
  }
}
