package dev.ebb.db.stats;

import dev.ebb.core.stats.Histogram;
import dev.ebb.db.connection.Columns;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction did, counted by queue and kind, to be written with it. Verbs that know what
 * they wrote before they write it gather it here; the others count their rows in SQL, as a part of
 * their statement: {@link #of}.
 */
public final class Tally {
  /** Rows out of {@link #bind}; a condition may follow. */
  public static final String ROWS =
      """
      select counter, queue, kind, bucket, number, micros
      from unnest(
        ?::smallint[], ?::text[], ?::text[], ?::smallint[], ?::integer[], ?::bigint[]
      ) as t (counter, queue, kind, bucket, number, micros)
      """;

  /** What precedes rows, as those of {@link #ROWS}. */
  public static final String INSERT =
      """
      insert into ebb.tally (counter, queue, kind, bucket, number, micros)
      """;

  private static final String ADD =
      """
      insert into ebb.tally (counter, queue, kind, number) values (?, ?, ?, ?)
      """;

  private final Map<Key, Sum> sums = new HashMap<>();

  private record Key(Counter counter, String queue, String kind, @Nullable Short bucket) {}

  private static final class Sum {
    int number;
    long micros;
  }

  /** Counts {@code number} in the caller's transaction, which did so much to the kind's jobs. */
  public static void add(
      Connection connection, Counter counter, String queue, String kind, int number)
      throws SQLException {
    if (number > 0) {
      var _ =
          Statements.update(
              connection,
              ADD,
              p -> p.integer((int) counter.number()).text(queue).text(kind).integer(number));
    }
  }

  /**
   * A statement that counts the rows of {@code from}, which has the columns queue and kind: to
   * stand in a {@code with} clause beside what writes them.
   */
  public static String of(Counter counter, String from) {
    return """
    insert into ebb.tally (counter, queue, kind, number)
    select %s, queue, kind, count(*) from %s group by queue, kind
    """
        .formatted(counter.number(), from);
  }

  /**
   * The same for rows that took time.
   *
   * @param length an expression of type {@code interval}
   */
  public static String timed(Counter counter, String from, String length) {
    return """
    insert into ebb.tally (counter, queue, kind, bucket, number, micros)
    select
      %s, queue, kind, bucket, count(*), (date_part('epoch', sum(length)) * 1000000)::bigint
    from (
      select queue, kind, length, width_bucket(length, '{%s}'::interval[]) as bucket
      from (select queue, kind, %s as length from %s) lengths
    ) lengths
    group by bucket, kind, queue
    """
        .formatted(counter.number(), Histogram.BOUNDS, length, from);
  }

  /** Counts one. */
  public void add(Counter counter, String queue, String kind) {
    sum(new Key(counter, queue, kind, null)).number++;
  }

  /** Counts one that took so long. */
  public void add(Counter counter, String queue, String kind, Duration took) {
    long micros = Math.max(0, Rows.micros(took));
    Sum sum = sum(new Key(counter, queue, kind, (short) Histogram.bucket(micros)));
    sum.number++;
    sum.micros += micros;
  }

  private Sum sum(Key key) {
    return sums.computeIfAbsent(key, _ -> new Sum());
  }

  /** Gives a statement the parameters of {@link #ROWS}. */
  public void bind(Parameters parameters) throws SQLException {
    List<Map.Entry<Key, Sum>> rows = List.copyOf(sums.entrySet());
    Columns<Map.Entry<Key, Sum>> columns = parameters.columns(rows);
    var _ =
        columns
            .smallint(row -> row.getKey().counter.number())
            .text(row -> row.getKey().queue)
            .text(row -> row.getKey().kind)
            .smallint(row -> row.getKey().bucket)
            .ints(row -> row.getValue().number)
            .longs(row -> row.getValue().micros);
  }
}
