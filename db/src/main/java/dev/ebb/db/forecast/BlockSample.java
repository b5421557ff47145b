package dev.ebb.db.forecast;

import dev.ebb.db.connection.Statements;
import java.sql.Connection;
import java.sql.SQLException;

/** A sample of the jobs' blocks: about as many of a large table as of a small one. */
final class BlockSample {
  /** How many blocks it reads, about. */
  static final int BLOCKS = 400;

  private static final String ALL_BLOCKS =
      """
      select pg_relation_size('ebb.job') / current_setting('block_size')::bigint as blocks
      """;

  private BlockSample() {}

  /** Which part of the blocks it is, in percent. */
  static double percent(Connection connection) throws SQLException {
    long blocks = Statements.one(connection, ALL_BLOCKS, _ -> {}, row -> row.getLong(1));
    return Math.min(100, 100.0 * BLOCKS / Math.max(1, blocks));
  }
}
