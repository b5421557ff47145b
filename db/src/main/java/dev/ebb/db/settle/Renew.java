package dev.ebb.db.settle;

import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The verb renew. It waits a moment for a lease that a settle or a rescue has locked. A lease that
 * a stranger keeps locked must not cost the node all its others.
 */
public final class Renew {
  private static final String PATIENTLY =
      """
      select set_config('lock_timeout', '500ms', true);
      with mine as materialized (
        select id from ebb.lease where id = any (?) order by id for update
      ), renewed as (
        update ebb.lease l
        set expires_at = clock_timestamp() + ? * interval '1 microsecond'
        from mine
        where l.id = mine.id
        returning l.id
      )
      select l.id, r.id is not null as renewed
      from ebb.lease l
      left join renewed r on r.id = l.id
      where l.id = any (?)
      """;

  private static final String WHERE_IT_IS_FREE =
      PATIENTLY.replace("for update", "for update skip locked");

  private Renew() {}

  /** Answers for each lease that is still there whether it was renewed. Needs a transaction. */
  public static Map<Long, Boolean> renew(
      Connection connection, Collection<Long> leases, Duration length) throws SQLException {
    Map<Long, Boolean> there = new HashMap<>();
    Statements.eachPatiently(
        connection,
        PATIENTLY,
        WHERE_IT_IS_FREE,
        p -> p.leases(leases).micros(length).leases(leases),
        row -> there.put(row.getLong(1), row.getBoolean(2)));
    return there;
  }
}
