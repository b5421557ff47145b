package dev.ebb.bench.contender;

import dev.ebb.bench.machine.Sql;
import dev.ebb.bench.machine.Target;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import org.postgresql.PGConnection;

/**
 * The connections of the floor with their statements, for one thread at a time.
 *
 * <p>Claims have one of their own, which does not wait for the disk: a crash of the server that
 * forgets a claim sets its jobs free, as one of Ebb does.
 */
final class FloorClient implements AutoCloseable {
  private static final String INSERT =
      """
      insert into job (queue, run_at, payload) values (?, now(), ?)
      """;

  private static final String INSERT_MANY =
      """
      insert into job (queue, run_at, payload)
      select ?, now() + ? * interval '1 microsecond', p from unnest(?::text[]) p
      """;

  private static final String CLAIM =
      """
      update job set state = 1, attempt = attempt + 1
      where id = any (array(
        select id from job
        where queue = ? and state = 0 and run_at <= now()
        order by priority, run_at, id
        limit ?
        for update skip locked))
      returning id, payload
      """;

  private static final String COMPLETE =
      """
      delete from job where id = any (?)
      """;

  private static final String RETRY =
      """
      update job set state = 0, run_at = now() + interval '1 second' where id = any (?)
      """;

  private final Connection connection;
  private final Connection claims;
  private final PGConnection arrays;
  private final PreparedStatement insert;
  private final PreparedStatement insertMany;
  private final PreparedStatement claim;
  private final PreparedStatement complete;
  private final PreparedStatement retry;

  /** Claimed jobs. */
  @SuppressWarnings("ArrayRecordComponent")
  record Batch(long[] ids, String[] payloads, int size) {
    static final Batch NONE = new Batch(new long[0], new String[0], 0);
  }

  FloorClient(Target target) throws SQLException {
    connection = Sql.connect(target);
    claims = Sql.connect(target);
    Sql.execute(claims, "set synchronous_commit = off");
    arrays = connection.unwrap(PGConnection.class);
    insert = connection.prepareStatement(INSERT);
    insertMany = connection.prepareStatement(INSERT_MANY);
    claim = claims.prepareStatement(CLAIM);
    complete = connection.prepareStatement(COMPLETE);
    retry = connection.prepareStatement(RETRY);
  }

  void insert(String queue, int number) throws SQLException {
    insert.setString(1, queue);
    insert.setString(2, Payload.of(number));
    insert.executeUpdate();
  }

  void insert(String queue, int from, int to, Duration dueIn) throws SQLException {
    String[] payloads = new String[to - from];
    for (int i = 0; i < payloads.length; i++) {
      payloads[i] = Payload.of(from + i);
    }
    insertMany.setString(1, queue);
    insertMany.setLong(2, dueIn.toNanos() / 1000);
    insertMany.setArray(3, connection.createArrayOf("text", payloads));
    insertMany.executeUpdate();
  }

  Batch claim(String queue, int most) throws SQLException {
    claim.setString(1, queue);
    claim.setInt(2, most);
    long[] ids = new long[most];
    String[] payloads = new String[most];
    int size = 0;
    try (ResultSet rows = claim.executeQuery()) {
      while (rows.next()) {
        ids[size] = rows.getLong(1);
        payloads[size++] = rows.getString(2);
      }
    }
    return size == 0 ? Batch.NONE : new Batch(ids, payloads, size);
  }

  void complete(long[] ids, int size) throws SQLException {
    executeOn(complete, ids, size);
  }

  void retry(long[] ids, int size) throws SQLException {
    executeOn(retry, ids, size);
  }

  private void executeOn(PreparedStatement statement, long[] ids, int size) throws SQLException {
    if (size > 0) {
      statement.setArray(1, arrays.createArrayOf("bigint", Arrays.copyOf(ids, size)));
      statement.executeUpdate();
    }
  }

  @Override
  public void close() throws SQLException {
    try (claims) {
      connection.close();
    }
  }
}
