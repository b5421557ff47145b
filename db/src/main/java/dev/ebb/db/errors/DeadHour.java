package dev.ebb.db.errors;

import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The grouped dead letters of the last hour, in numbers.
 *
 * @param dead how many they are
 * @param cut whether there are more, which no number counts
 * @param errors how many different ones they have
 * @param subject of which most of them are that have one; {@code null} if none has
 * @param ofSubject how many are of that one
 */
public record DeadHour(
    long dead, boolean cut, long errors, @Nullable String subject, long ofSubject) {
  /** How many are counted. */
  static final int COUNTED = 20_000;

  private static final String LAST =
      """
      with died as materialized (
        select g.error_id, g.subject
        from ebb.error_group g
        cross join lateral (
          select
          from ebb.dead_letter d
          where d.error_group = g.id and d.died_at > now() - interval '1 hour'
          limit ?
        ) d
        where g.last_seen > now() - interval '1 hour'
        limit ?
      )
      select n.dead, n.errors, s.subject, s.dead as of_subject
      from (select count(*) as dead, count(distinct error_id) as errors from died) n
      left join (
        select subject, count(*) as dead
        from died
        where subject is not null
        group by subject
        order by count(*) desc, subject
        limit 1
      ) s on true
      """;

  static DeadHour last(Connection connection, int most) throws SQLException {
    return Statements.one(
        connection, LAST, p -> p.integer(most + 1).integer(most + 1), row -> read(row, most));
  }

  private static DeadHour read(ResultSet row, int most) throws SQLException {
    long dead = row.getLong("dead");
    return new DeadHour(
        Math.min(dead, most),
        dead > most,
        row.getLong("errors"),
        row.getString("subject"),
        row.getLong("of_subject"));
  }
}
