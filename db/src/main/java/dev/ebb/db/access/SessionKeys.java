package dev.ebb.db.access;

import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Statements;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Base64;
import java.util.List;

/**
 * The keys that seal sessions, which all nodes share. Each day has one of its own; a key is kept
 * for two days, and no session lasts as long.
 */
public final class SessionKeys {
  private static final int BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private static final String LIVE =
      """
      select id, secret
      from ebb.session_key
      where made_at > now() - interval '2 days'
      order by id desc
      """;

  private static final String MAKE =
      """
      insert into ebb.session_key (secret)
      select decode(?, 'base64')
      where not exists (select from ebb.session_key where made_at > now() - interval '1 day')
      """;

  private static final String FORGET =
      """
      delete from ebb.session_key where made_at <= now() - interval '2 days'
      """;

  private final Database database;

  public SessionKeys(Database database) {
    this.database = database;
  }

  /** A key with its number. */
  @SuppressWarnings("ArrayRecordComponent") // Compared by nobody.
  public record Key(int id, byte[] secret) {
    /** Without the secret. */
    @Override
    public String toString() {
      return "Key[" + id + "]";
    }
  }

  /** The keys by which sessions may be sealed, the newest first. */
  public List<Key> live() throws SQLException {
    return database.inAutocommit(SessionKeys::live);
  }

  private static List<Key> live(Connection connection) throws SQLException {
    return Statements.list(
        connection, LIVE, p -> {}, row -> new Key(row.getInt("id"), row.getBytes("secret")));
  }

  /** The key for new sessions, which is made if the newest is older than a day. */
  public Key newest() throws SQLException {
    byte[] secret = new byte[BYTES];
    RANDOM.nextBytes(secret);
    return database.inTransaction(connection -> {
      Statements.update(connection, FORGET, p -> {});
      Statements.update(connection, MAKE, p -> p.text(Base64.getEncoder().encodeToString(secret)));
      return live(connection).getFirst();
    });
  }
}
