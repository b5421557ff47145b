package dev.ebb.db.access;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.AccessToken;
import dev.ebb.core.access.NewToken;
import dev.ebb.core.access.Scope;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes, lists and revokes tokens. */
public final class Tokens {
  /** How many may be live at a time: every node that asks for tokens remembers them all. */
  static final int MOST = 1_000;

  private static final SecureRandom RANDOM = new SecureRandom();

  private static final String CREATE =
      """
      insert into ebb.token (id, name, hash, scopes, created_by, expires_at)
      select ?, ?, ?, ?, ?, now() + ?::interval
      where (select count(*) from (select from ebb.token where revoked_at is null limit ?) t) < ?
      on conflict do nothing
      returning *
      """;

  private static final String LIST =
      """
      select * from ebb.token where id > ? order by id limit ?
      """;

  private static final String LIVE =
      """
      select id, name, hash, scopes
      from ebb.token
      where revoked_at is null and (expires_at is null or expires_at > now())
      """;

  private static final String REVOKE =
      """
      update ebb.token
      set revoked_at = now()
      where (id = ? or name = ?) and revoked_at is null
      returning *
      """;

  private static final String USED =
      """
      update ebb.token
      set last_used_at = date_trunc('minute', now())
      where id = any (?) and (last_used_at is null or last_used_at < now() - interval '1 minute')
      """;

  private final Database database;

  public Tokens(Database database) {
    this.database = database;
  }

  /**
   * Makes a token.
   *
   * @param createdBy the name of the token that asks for it, or {@code ./ebb}
   * @throws InvalidInput if a live token has the name, or {@value #MOST} are live
   */
  public NewSecret create(NewToken token, String createdBy) throws SQLException {
    byte[] random = new byte[AccessToken.BYTES];
    RANDOM.nextBytes(random);
    String text = AccessToken.text(random);
    List<TokenView> made =
        database.inAutocommit(connection ->
            Statements.list(
                connection, CREATE, p -> bind(p, text, token, createdBy), Tokens::view));
    if (made.isEmpty()) {
      throw new InvalidInput(
          "name", "must be that of no other live token, of which " + MOST + " may be");
    }
    return new NewSecret(text, made.getFirst());
  }

  private static void bind(Parameters parameters, String text, NewToken token, String createdBy)
      throws SQLException {
    parameters
        .text(AccessToken.id(text).orElseThrow())
        .text(token.name())
        .text(AccessToken.hash(text))
        .texts(token.scopes().stream().map(Scope::word).sorted().toList())
        .text(createdBy)
        .text(token.lifetime() == null ? null : token.lifetime().toString())
        .integer(MOST)
        .integer(MOST);
  }

  /** A page of all tokens, revoked and expired ones too, in the order of their ids. */
  public List<TokenView> list(String afterId, int limit) throws SQLException {
    return database.inAutocommit(connection ->
        Statements.list(connection, LIST, p -> p.text(afterId).integer(limit), Tokens::view));
  }

  /** Revokes the live token of that id or name; empty if there is none. */
  public Optional<TokenView> revoke(String idOrName) throws SQLException {
    return database.inAutocommit(connection ->
        Optional.ofNullable(
            Statements.first(
                connection, REVOKE, p -> p.text(idOrName).text(idOrName), Tokens::view)));
  }

  /** All tokens that are neither revoked nor expired by the database's clock. */
  public List<LiveToken> live() throws SQLException {
    return database.inAutocommit(
        connection -> Statements.list(connection, LIVE, p -> {}, Tokens::liveToken));
  }

  private static LiveToken liveToken(ResultSet row) throws SQLException {
    return new LiveToken(
        row.getString("id"), row.getString("name"), row.getString("hash"), scopes(row));
  }

  /** Takes note that these were used, to the minute. */
  public void used(Collection<String> ids) throws SQLException {
    database.inAutocommit(connection -> Statements.update(connection, USED, p -> p.texts(ids)));
  }

  private static TokenView view(ResultSet row) throws SQLException {
    return new TokenView(
        row.getString("id"),
        row.getString("name"),
        scopes(row),
        row.getString("created_by"),
        Rows.instant(row, "created_at"),
        Rows.instantOrNull(row, "expires_at"),
        Rows.instantOrNull(row, "last_used_at"),
        Rows.instantOrNull(row, "revoked_at"));
  }

  private static Set<Scope> scopes(ResultSet row) throws SQLException {
    return Scope.known(Arrays.asList((String[]) row.getArray("scopes").getArray()));
  }
}
