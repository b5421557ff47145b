package dev.ebb.db.queue;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Reads which destinations need somebody. */
public final class DestinationReads {
  // Those with trouble are few, or all fail at once; the others are read by their names.
  private static final String WORST =
      """
      with failing as materialized (
        select c.queue as name
        from ebb.circuit c
        where c.state ->> 'phase' <> 'CLOSED'
      ), troubled as materialized (
        select f.name, ?::float8 as degree from failing f
        union all
        select r.name, r.degree
        from unnest(?::text[], ?::float8[]) as r (name, degree)
        where r.name not in (select f.name from failing f)
      ), page as (
        (
          select q.name, t.degree
          from troubled t
          join ebb.queue q on q.name = t.name
          where q.destination is not null
            and (t.degree < ?::float8 or t.degree = ?::float8 and q.name > ?)
          order by t.degree desc, q.name
          limit ?
        )
        union all
        (
          select q.name, 0
          from ebb.queue q
          where q.destination is not null
            and q.name > ?
            and q.name not in (select t.name from troubled t)
          order by q.name
          limit ?
        )
      )
      select q.name, p.degree, %1$s
      from page p
      join ebb.queue q on q.name = p.name
      order by p.degree desc, q.name
      limit ?
      """
          .formatted(QueueReads.SETTINGS);

  // The text sorts as the time that it is.
  private static final String CERTIFICATE_ENDS =
      """
      select q.name, (q.destination #>> '{tls,certificateEndsAt}')::timestamptz as ends_at
      from ebb.queue q
      where q.destination #>> '{tls,certificateEndsAt}' is not null
        and (q.destination #>> '{tls,certificateEndsAt}') collate "C"
          < to_char(
            (now() + ? * interval '1 microsecond') at time zone 'UTC',
            'YYYY-MM-DD"T"HH24:MI:SS"Z"')
      order by (q.destination #>> '{tls,certificateEndsAt}') collate "C"
      limit ?
      """;

  private final Database database;

  public DestinationReads(Database database) {
    this.database = database;
  }

  /**
   * A page of the destinations, the worst first: those that do not answer, those that get worse,
   * and the others by name. One whose trouble changes meanwhile may be on two pages or on none.
   *
   * @param worsening which get worse, and by how much
   * @param after the last one on the page before
   * @param limit of destinations
   */
  public WorstPage worst(List<Trouble> worsening, Trouble after, int limit) throws SQLException {
    return database.inAutocommit(connection -> worst(connection, worsening, after, limit));
  }

  private static WorstPage worst(
      Connection connection, List<Trouble> worsening, Trouble after, int limit)
      throws SQLException {
    String name = after.degree() > 0 ? "" : after.destination();
    int most = limit + 1;
    List<WorstPage.Row> found =
        Statements.list(
            connection,
            WORST,
            p -> {
              p.real(Trouble.FAILING);
              p.columns(worsening).text(Trouble::destination).real(Trouble::degree);
              p.real(after.degree()).real(after.degree()).text(after.destination()).integer(most);
              p.text(name).integer(most).integer(most);
            },
            row -> new WorstPage.Row(QueueReads.view(row), row.getDouble("degree")));
    return WorstPage.of(found, limit);
  }

  /**
   * Client certificates of destinations that have ended, or end within that time, the first first.
   *
   * @param limit of them
   */
  public List<CertificateEnd> certificateEnds(Duration within, int limit) throws SQLException {
    return database.inAutocommit(connection -> certificateEnds(connection, within, limit));
  }

  private static List<CertificateEnd> certificateEnds(
      Connection connection, Duration within, int limit) throws SQLException {
    return Statements.list(
        connection,
        CERTIFICATE_ENDS,
        p -> p.micros(within).integer(limit),
        row -> new CertificateEnd(row.getString("name"), Rows.instant(row, "ends_at")));
  }
}
