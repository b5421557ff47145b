package dev.ebb.db.access;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.AccessToken;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.NewToken;
import dev.ebb.core.access.Scope;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.audit.Changes;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Parameters;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes, lists and revokes tokens. */
public final class Tokens {
  /** How many may be live at a time: every node that asks for tokens remembers them all. */
  static final int MOST = 1_000;

  /** Deleted at once. */
  private static final int PIECE = 1_000;

  /** The creator of a token that was made on the machine. */
  private static final String ON_MACHINE = "./ebb";

  private static final SecureRandom RANDOM = new SecureRandom();

  // An expired token gives its name and its place back.
  private static final String END_EXPIRED =
      """
      update ebb.token
      set revoked_at = expires_at
      where revoked_at is null and expires_at <= now()
      """;

  private static final String CREATOR =
      """
      select id from ebb.token where id = ? and revoked_at is null for share
      """;

  // No token outlives the one that made it.
  private static final String CREATE =
      """
      insert into ebb.token (id, name, hash, scopes, queues, created_by, created_by_id, expires_at)
      select
        ?, ?, ?, ?, ?, ?, ?,
        least(now() + ?::interval, (select c.expires_at from ebb.token c where c.id = ?))
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
      select id, name, hash, scopes, expires_at, queues
      from ebb.token
      where revoked_at is null and (expires_at is null or expires_at > now())
      """;

  private static final String FIND =
      """
      select * from ebb.token where id = ?
      """;

  private static final String FIND_NAMED =
      """
      select * from ebb.token where name = ? and revoked_at is null
      """;

  // The token with all that it made, and they made, whether those between still live or not.
  private static final String REVOKE =
      """
      with recursive family as (
        select ?::text collate "C" as id
        union
        select t.id
        from ebb.token t
        join family f on t.created_by_id = f.id
      )
      update ebb.token t
      set revoked_at = now()
      from family f
      where t.id = f.id and t.revoked_at is null
      returning t.*
      """;

  private static final String USED =
      """
      update ebb.token
      set last_used_at = date_trunc('minute', now())
      where id = any (?) and (last_used_at is null or last_used_at < now() - interval '1 minute')
      """;

  private static final String PRUNE =
      """
      delete from ebb.token
      where id = any (array(
        select id
        from ebb.token
        where least(revoked_at, expires_at) < now() - interval '90 days'
        limit ?))
      """;

  private final Database database;

  public Tokens(Database database) {
    this.database = database;
  }

  /**
   * Makes a token, which ends no later than the one by which it is made; empty if that is not live
   * any more.
   *
   * @throws InvalidInput if a live token has the name, or {@value #MOST} are live
   */
  public Optional<NewSecret> create(NewToken token, Act act) throws SQLException {
    byte[] random = new byte[AccessToken.BYTES];
    RANDOM.nextBytes(random);
    String text = AccessToken.text(random);
    return database.inTransaction(connection -> {
      Statements.update(connection, END_EXPIRED, p -> {});
      return isLive(connection, act.tokenId())
          ? Optional.of(insert(connection, text, token, act))
          : Optional.empty();
    });
  }

  private static boolean isLive(Connection connection, @Nullable String id) throws SQLException {
    return id == null
        || !Statements.list(connection, CREATOR, p -> p.text(id), row -> row.getString("id"))
            .isEmpty();
  }

  private static NewSecret insert(Connection connection, String text, NewToken token, Act act)
      throws SQLException {
    List<TokenView> made =
        Statements.list(connection, CREATE, p -> bind(p, text, token, act), Tokens::view);
    if (made.isEmpty()) {
      throw new InvalidInput(
          "name",
          "must not be that of another live token; at most " + MOST + " tokens may be live");
    }
    TokenView view = made.getFirst();
    Audit.write(
        connection,
        act,
        "token.create",
        view.id(),
        new Changes()
            .add("name", null, view.name())
            .add("scopes", null, Scope.words(view.scopes()))
            .add("queues", null, view.queues())
            .add("expiresAt", null, view.expiresAt()));
    return new NewSecret(text, view);
  }

  private static void bind(Parameters parameters, String text, NewToken token, Act act)
      throws SQLException {
    parameters
        .text(AccessToken.id(text).orElseThrow())
        .text(token.name())
        .text(AccessToken.hash(text))
        .texts(Scope.words(token.scopes()))
        .texts(token.queues())
        .text(act.isOnMachine() ? ON_MACHINE : act.actor())
        .text(act.tokenId())
        .text(token.lifetime() == null ? null : token.lifetime().toString())
        .text(act.tokenId())
        .integer(MOST)
        .integer(MOST);
  }

  /** A page of all tokens, revoked and expired ones too, in the order of their ids. */
  public List<TokenView> list(String afterId, int limit) throws SQLException {
    return database.inAutocommit(connection ->
        Statements.list(connection, LIST, p -> p.text(afterId).integer(limit), Tokens::view));
  }

  /**
   * Revokes the token of that id with all tokens that it made, and they made; empty if none of them
   * is live.
   */
  public Optional<Revocation> revoke(String id, Act act) throws SQLException {
    return revoke(FIND, id, act);
  }

  /** The same for the live token of that name. */
  public Optional<Revocation> revokeNamed(String name, Act act) throws SQLException {
    return revoke(FIND_NAMED, name, act);
  }

  private Optional<Revocation> revoke(String sql, String key, Act act) throws SQLException {
    return database.inTransaction(connection -> {
      TokenView token = Statements.first(connection, sql, p -> p.text(key), Tokens::view);
      return token == null ? Optional.empty() : revoke(connection, token.id(), act);
    });
  }

  private static Optional<Revocation> revoke(Connection connection, String id, Act act)
      throws SQLException {
    List<TokenView> revoked = new ArrayList<>();
    // Again, until none is left: a transaction that this one waited for may have made another.
    for (List<TokenView> some = revokeSome(connection, id);
        !some.isEmpty();
        some = revokeSome(connection, id)) {
      revoked.addAll(some);
    }
    if (revoked.isEmpty()) {
      return Optional.empty();
    }
    List<String> names = revoked.stream().map(TokenView::name).toList();
    Audit.write(
        connection,
        act,
        "token.revoke",
        id,
        revoked.size(),
        new Changes().add("live", names, null));
    return Optional.ofNullable(Statements.first(connection, FIND, p -> p.text(id), Tokens::view))
        .map(token -> new Revocation(token, revoked));
  }

  private static List<TokenView> revokeSome(Connection connection, String id) throws SQLException {
    return Statements.list(connection, REVOKE, p -> p.text(id), Tokens::view);
  }

  /** All tokens that are neither revoked nor expired by the database's clock. */
  public List<LiveToken> live() throws SQLException {
    return database.inAutocommit(
        connection -> Statements.list(connection, LIVE, p -> {}, Tokens::liveToken));
  }

  private static LiveToken liveToken(ResultSet row) throws SQLException {
    return new LiveToken(
        row.getString("id"),
        row.getString("name"),
        row.getString("hash"),
        scopes(row),
        Rows.instantOrNull(row, "expires_at"),
        Rows.textsOrNull(row, "queues"));
  }

  /** Takes note that these tokens were used, to the minute. */
  public void used(Collection<String> ids) throws SQLException {
    database.inAutocommit(connection -> Statements.update(connection, USED, p -> p.texts(ids)));
  }

  /** Deletes tokens that ended 90 days ago, and answers whether there may be more of them. */
  public boolean prune() throws SQLException {
    return database.inAutocommit(
            connection -> Statements.update(connection, PRUNE, p -> p.integer(PIECE)))
        == PIECE;
  }

  private static TokenView view(ResultSet row) throws SQLException {
    return new TokenView(
        row.getString("id"),
        row.getString("name"),
        scopes(row),
        row.getString("created_by"),
        row.getString("created_by_id"),
        Rows.instant(row, "created_at"),
        Rows.instantOrNull(row, "expires_at"),
        Rows.instantOrNull(row, "last_used_at"),
        Rows.instantOrNull(row, "revoked_at"),
        Rows.textsOrNull(row, "queues"));
  }

  private static Set<Scope> scopes(ResultSet row) throws SQLException {
    return Scope.known(Rows.texts(row, "scopes"));
  }
}
