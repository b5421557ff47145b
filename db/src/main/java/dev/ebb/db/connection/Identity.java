package dev.ebb.db.connection;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which database a server has.
 *
 * @param origin of the schema, which a dump and a copy carry along; {@code null} where there is
 *     none
 * @param confirmedAt when people last said that this is the one, by the database itself; {@link
 *     Instant#EPOCH} where it does not say
 * @param systemIdentifier of the cluster, the same for a primary and its standbys
 * @param timeline one more after each promotion, from 1
 */
public record Identity(
    @Nullable UUID origin, Instant confirmedAt, long systemIdentifier, int timeline)
    implements Comparable<Identity> {

  private static final Comparator<Identity> ORDER =
      Comparator.comparing(Identity::confirmedAt).thenComparingInt(Identity::timeline);

  // pg_control_checkpoint() tells the new timeline only after the first checkpoint on it.
  private static final String READ =
      """
      select
        s.system_identifier,
        case when not pg_is_in_recovery()
          then ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer
        end as timeline,
        to_regclass('ebb.identity') is not null as says,
        clock_timestamp() as now
      from pg_control_system() s
      """;

  private static final String SAYS =
      """
      select origin, system_identifier, timeline, confirmed_at from ebb.identity
      """;

  private static final String RAISE =
      """
      update ebb.identity
      set timeline = ?, timeline_since = clock_timestamp()
      where system_identifier = ? and timeline < ?
        and ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer = ?
      """;

  private static final String CONFIRM =
      """
      insert into ebb.identity (system_identifier, timeline) values (?, ?)
      on conflict (one) do update
      set system_identifier = excluded.system_identifier,
        timeline = excluded.timeline,
        timeline_since = clock_timestamp(),
        confirmed_at = clock_timestamp()
      """;

  /**
   * What a server says of itself, and what its database says.
   *
   * @param server of a primary; {@code null} of a standby
   * @param database {@code null} where it does not say
   * @param hasSchema whether it could say
   * @param now by its clock
   */
  record Said(
      @Nullable Identity server, @Nullable Identity database, boolean hasSchema, Instant now) {}

  private record Row(
      long systemIdentifier, @Nullable Integer timeline, boolean says, Instant now) {}

  /** Asks a server. */
  static Said read(Connection connection) throws SQLException {
    Row row =
        Statements.one(
            connection,
            READ,
            _ -> {},
            r ->
                new Row(
                    r.getLong("system_identifier"),
                    r.getObject("timeline", Integer.class),
                    r.getBoolean("says"),
                    Rows.instant(r, "now")));
    Identity database =
        row.says ? Statements.first(connection, SAYS, _ -> {}, Identity::read) : null;
    Identity server = null;
    if (row.timeline != null) {
      server =
          database == null
              ? new Identity(null, Instant.EPOCH, row.systemIdentifier, row.timeline)
              : new Identity(
                  database.origin, database.confirmedAt, row.systemIdentifier, row.timeline);
    }
    return new Said(server, database, row.says, row.now);
  }

  private static Identity read(ResultSet row) throws SQLException {
    return new Identity(
        row.getObject("origin", UUID.class),
        Rows.instant(row, "confirmed_at"),
        row.getLong("system_identifier"),
        row.getInt("timeline"));
  }

  /** Has the database remember its timeline, if that is news, and it is this one that is asked. */
  void raise(Connection connection) throws SQLException {
    Statements.update(
        connection,
        RAISE,
        p -> p.integer(timeline).bigint(systemIdentifier).integer(timeline).integer(timeline));
  }

  /** Has the database say that it is this one, whatever it said before. */
  void confirm(Connection connection) throws SQLException {
    Statements.update(connection, CONFIRM, p -> p.bigint(systemIdentifier).integer(timeline));
  }

  /**
   * Why this is not the database that is known, or one that came after it by a promotion or a
   * confirmation, in words for people; {@code null} if it is.
   */
  @Nullable String whyNot(Identity known) {
    boolean says = origin != null;
    if (says && known.origin != null && !known.origin.equals(origin)) {
      return "it is another database: its schema was not made with the one that Ebb knows";
    }
    if (says && confirmedAt.isAfter(known.confirmedAt)) {
      return null;
    }
    if (systemIdentifier != known.systemIdentifier) {
      return "it is another database: its system identifier is %s, and Ebb's is %s"
          .formatted(
              Long.toUnsignedString(systemIdentifier),
              Long.toUnsignedString(known.systemIdentifier));
    }
    if (timeline < known.timeline) {
      return "it is an old primary: it is on timeline %s, and timeline %s was seen"
          .formatted(timeline, known.timeline);
    }
    return says && confirmedAt.isBefore(known.confirmedAt)
        ? "it is an older copy: another one was confirmed since"
        : null;
  }

  /** By which is the newer: confirmed later or, if that is equal, promoted more often. */
  @Override
  public int compareTo(Identity other) {
    return ORDER.compare(this, other);
  }
}
