package dev.ebb.db.connection;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;

/** What a connection is asked for with. */
final class Login {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private Login() {}

  /** Read for each connection, as the password may have changed. */
  static Properties properties(DatabaseConfig config) throws SQLException {
    long statementMillis = config.statementTimeout().toMillis();
    Properties properties = new Properties();
    if (config.user() != null) {
      properties.setProperty("user", config.user());
    }
    String password = config.currentPassword();
    if (password != null) {
      properties.setProperty("password", password);
    }
    properties.setProperty("ApplicationName", "ebb");
    properties.setProperty("connectTimeout", Long.toString(CONNECT_TIMEOUT.toSeconds()));
    properties.setProperty("loginTimeout", Long.toString(CONNECT_TIMEOUT.toSeconds()));
    properties.setProperty("socketTimeout", Long.toString(statementMillis / 1000 + 3));
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("socketFactory", PromptSockets.class.getName());
    // A name or a proxy may lead to a standby for a while; what stands in the URL has precedence.
    properties.setProperty("targetServerType", "primary");
    if (config.pooler()) {
      properties.setProperty("prepareThreshold", "0");
    } else {
      properties.setProperty("options", sessionSettings(config));
    }
    return properties;
  }

  /**
   * Sent with the connection's start, so that they cost no statement. A client that froze while it
   * was being answered has no timeout but TCP's: until then its claim would keep the queue's lock.
   * A plan that was cached while the tables were empty must not scan them when they hold a million
   * rows; behind a pooler, where nobody can say so here, no plan is cached.
   */
  private static String sessionSettings(DatabaseConfig config) {
    long statementMillis = config.statementTimeout().toMillis();
    return String.join(
        " ",
        "-c statement_timeout=" + statementMillis,
        "-c lock_timeout=" + statementMillis,
        "-c idle_in_transaction_session_timeout=" + DatabaseConfig.IDLE_IN_TRANSACTION.toMillis(),
        "-c transaction_timeout=" + 3 * statementMillis,
        "-c tcp_user_timeout=" + config.tcpTimeout().toMillis(),
        "-c synchronous_commit=on",
        "-c enable_seqscan=off",
        "-c default_transaction_isolation=read\\ committed");
  }
}
