package dev.ebb.db.connection;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What a connection is asked for with. */
final class Login {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private static final String TRANSACTION_TIMEOUT = "transaction_timeout";

  /** The URLs of servers older than PostgreSQL 17, which brought that setting. */
  private static final Set<String> WITHOUT_IT = ConcurrentHashMap.newKeySet();

  private Login() {}

  /** Connects as nodes do. A server refuses a login with a setting that it does not know. */
  static Connection connect(String url, DatabaseConfig config) throws SQLException {
    if (!config.pooler() && !WITHOUT_IT.contains(url)) {
      try {
        return DriverManager.getConnection(url, withTransactionTimeout(config));
      } catch (SQLException refused) {
        if (!isUnknown(refused)) {
          throw refused;
        }
        WITHOUT_IT.add(url);
      }
    }
    return DriverManager.getConnection(url, properties(config));
  }

  private static boolean isUnknown(SQLException refused) {
    return SqlStates.UNKNOWN.equals(refused.getSQLState())
        && String.valueOf(refused.getMessage()).contains(TRANSACTION_TIMEOUT);
  }

  private static Properties withTransactionTimeout(DatabaseConfig config) throws SQLException {
    Properties properties = properties(config);
    long millis = 3 * config.statementTimeout().toMillis();
    properties.merge(
        "options", "-c " + TRANSACTION_TIMEOUT + "=" + millis, (all, one) -> all + " " + one);
    return properties;
  }

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
        "-c tcp_user_timeout=" + config.tcpTimeout().toMillis(),
        "-c synchronous_commit=on",
        "-c enable_seqscan=off",
        "-c default_transaction_isolation=read\\ committed");
  }
}
