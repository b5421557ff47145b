package dev.ebb.db.connection;

import static dev.ebb.core.InvalidInput.require;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** People's word that the database at an address is Ebb's from now on. */
public final class Confirmation {
  private static final Logger LOG = LoggerFactory.getLogger(Confirmation.class);

  private Confirmation() {}

  /**
   * What was confirmed.
   *
   * @param before what the database said of itself; {@code null} for nothing
   * @param now what it says from now on
   */
  public record Confirmed(@Nullable Identity before, Identity now) {}

  /** What is done in the transaction of a confirmation: no node sees the one without the other. */
  @FunctionalInterface
  public interface Also {
    void on(Connection connection) throws SQLException;
  }

  /**
   * Has the database say that it is Ebb's. Nodes that know another one go over to it.
   *
   * @param config of one server: among several, nobody could say which one was meant
   * @throws SQLException if it cannot be reached, is a standby, or does not tell what it is
   * @throws dev.ebb.core.InvalidInput if the URL names several servers
   */
  public static Confirmed confirm(DatabaseConfig config) throws SQLException {
    return confirm(config, _ -> {});
  }

  /**
   * The same with something else.
   *
   * @param also is left out where there is no schema of Ebb's
   */
  public static Confirmed confirm(DatabaseConfig config, Also also) throws SQLException {
    require(isOne(config), "url", "must name one server, the one that is to be the database");
    try (Connection connection = connect(config)) {
      Identity.Said before = Identity.read(connection);
      if (before.server() == null) {
        throw new SQLException("the server is a standby", SqlStates.READ_ONLY);
      }
      if (before.hasSchema()) {
        connection.setAutoCommit(false);
        before.server().confirm(connection);
        also.on(connection);
        connection.commit();
      }
      Identity now = requireNonNull(Identity.read(connection).server());
      KnownIdentity known = forgotten(config);
      known.admit(now, config.address());
      return new Confirmed(before.database(), now);
    }
  }

  /**
   * People who migrate a database that has no schema of Ebb's say that it is theirs: what was seen
   * at its address before is forgotten. One that cannot be asked is left to the migration itself.
   */
  public static void forgetIfNew(DatabaseConfig config) {
    if (!isOne(config)) {
      return;
    }
    try (Connection connection = connect(config)) {
      if (!Identity.read(connection).hasSchema()) {
        var _ = forgotten(config);
      }
    } catch (SQLException unreachable) {
      LOG.debug("what was seen is not forgotten", unreachable);
    }
  }

  private static boolean isOne(DatabaseConfig config) {
    return Servers.each(config.url()).size() == 1;
  }

  private static Connection connect(DatabaseConfig config) throws SQLException {
    return Login.connect(config.url(), config);
  }

  private static KnownIdentity forgotten(DatabaseConfig config) throws SQLException {
    KnownIdentity known = KnownIdentity.of(config.address(), config.memory());
    try {
      known.forget();
      return known;
    } catch (IOException undeletable) {
      throw new SQLException("what was known before cannot be forgotten", undeletable);
    }
  }
}
