package dev.ebb.db.connection;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Tells by its SQLSTATE why a statement failed (PostgreSQL, appendix A). */
public final class SqlStates {
  /** A lock that somebody else has. */
  public static final String LOCKED = "55P03";

  /** There is no connection to work on. */
  public static final String NOT_CONNECTED = "08003";

  /** A row is missing that every statement counts on. */
  static final String NO_ROW = "02000";

  /** The server only follows another, or was told to take no writes. */
  static final String READ_ONLY = "25006";

  /** The role may not do that. */
  static final String NO_RIGHT = "42501";

  /** The server does not know what the statement or the login names. */
  static final String UNKNOWN = "42704";

  private static final String CANCELED = "57014";
  private static final String DUPLICATE = "23505";

  /** By state or, where a state has no words of its own, by class. */
  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry(NO_ROW, "a row is missing that is always there"),
          Map.entry("08", "no connection"),
          Map.entry("22", "a value is refused"),
          Map.entry("23", "a constraint is broken"),
          Map.entry(READ_ONLY, "the server is read-only"),
          Map.entry("28", "the login is refused"),
          Map.entry("3D000", "there is no such database"),
          Map.entry("40", "a conflict with another transaction"),
          Map.entry("42", "the statement does not fit the schema"),
          Map.entry(NO_RIGHT, "the role lacks a right"),
          Map.entry("53", "the server is short of resources"),
          Map.entry("53100", "the server's disk is full"),
          Map.entry("53200", "the server is out of memory or locks"),
          Map.entry("53300", "the server has too many connections"),
          Map.entry(LOCKED, "a lock was not released in time"),
          Map.entry("55000", "the database does not serve now"),
          Map.entry("57", "the server intervened"),
          Map.entry(CANCELED, "the statement took too long"),
          Map.entry("57P03", "the server is starting or stopping"),
          Map.entry("58", "the server's system failed"),
          Map.entry(WrongDatabase.STATE, "the server is not Ebb's database"));

  /** Classes that the rows of the statement cause: data and constraints. */
  private static final Set<String> OF_THE_ROWS = Set.of("22", "23");

  /**
   * Classes by which the server says that the statement wrote nothing, and that its rows may be the
   * reason: data, constraints, conflicts, limits, locks.
   */
  private static final Set<String> PERHAPS_OF_THE_ROWS = Set.of("22", "23", "40", "54", "55");

  /** Classes and states of a server that cannot be reached or cannot work. */
  private static final Set<String> OF_THE_SERVER = Set.of("08", "53", "58", "28", "3D", READ_ONLY);

  /** Classes and states of a server that was reached, and refuses these settings. */
  private static final Set<String> REFUSALS = Set.of("22", "28", "3D", "08004", NO_RIGHT);

  private SqlStates() {}

  /** What happened, for people, with the state: {@code a constraint is broken (23514)}. */
  public static String words(SQLException failure) {
    String state = failure.getSQLState();
    String words = state == null ? null : WORDS.getOrDefault(state, WORDS.get(classOf(state)));
    return (words == null ? "the database failed" : words)
        + (state == null ? "" : " (" + state + ")");
  }

  /** Whether somebody else kept a lock for too long. */
  public static boolean isLocked(SQLException failure) {
    return LOCKED.equals(failure.getSQLState());
  }

  /**
   * Whether a transaction that has not ended holds a row's unique key. The server names the row for
   * which it waited in vain; of a table it names nothing.
   */
  public static boolean isUniqueKeyHeld(SQLException failure) {
    ServerErrorMessage said =
        failure instanceof PSQLException server ? server.getServerErrorMessage() : null;
    return isLocked(failure) && said != null && said.getWhere() != null;
  }

  /** Whether a unique index has the row's key already. */
  public static boolean isDuplicate(SQLException failure) {
    return DUPLICATE.equals(failure.getSQLState());
  }

  /** Whether the statement took too long. */
  public static boolean isTooSlow(SQLException failure) {
    return CANCELED.equals(failure.getSQLState());
  }

  /** Whether the same rows will be refused again. */
  public static boolean isOfTheRows(SQLException failure) {
    return !isOfTheConnection(failure) && isIn(OF_THE_ROWS, failure.getSQLState());
  }

  /** Whether nothing was written, and perhaps because of one row among others. */
  public static boolean isPerhapsOfTheRows(SQLException failure) {
    return !isOfTheConnection(failure)
        && (isTooSlow(failure) || isIn(PERHAPS_OF_THE_ROWS, failure.getSQLState()));
  }

  /** Whether every other statement would fail now, too. */
  public static boolean isOfTheServer(SQLException failure) {
    String state = failure.getSQLState();
    return isOfTheConnection(failure)
        || state == null
        || isIn(OF_THE_SERVER, state)
        || state.startsWith("57P");
  }

  /** Whether no connection was given, for whatever reason: there was no statement to blame. */
  private static boolean isOfTheConnection(SQLException failure) {
    return failure instanceof SQLTransientConnectionException;
  }

  /** The failure of another thread, to be thrown by this one. */
  public static SQLException again(SQLException failure) {
    String state = failure.getSQLState();
    return isOfTheConnection(failure)
        ? new SQLTransientConnectionException(failure.getMessage(), state, failure)
        : new SQLException(failure.getMessage(), state, failure.getErrorCode(), failure);
  }

  /** Whether time alone may mend it: no setting, right or schema has to change. */
  public static boolean mayPass(SQLException failure) {
    return !isIn(REFUSALS, failure.getSQLState())
        && (isOfTheServer(failure) || isTooSlow(failure) || isLocked(failure));
  }

  /**
   * Whether the same statement of a caller may succeed later. It may unless the server refused its
   * rows: whatever else is wrong, a caller can do nothing about it, and an operator can.
   */
  public static boolean mayRepeat(SQLException failure) {
    return failure instanceof SQLRecoverableException || !isOfTheRows(failure);
  }

  /** What happened, for callers, who need not know the server: a sentence without its end. */
  public static String sentence(SQLException failure) {
    String state = failure.getSQLState();
    boolean isSilence = state == null || classOf(state).equals("08") || isTooSlow(failure);
    return isSilence ? "The database did not answer" : "The database refused: " + words(failure);
  }

  /** Whether the state, or its class, is one of them. */
  static boolean isIn(Set<String> states, @Nullable String state) {
    return state != null && (states.contains(state) || states.contains(classOf(state)));
  }

  private static String classOf(String state) {
    return state.length() < 2 ? "" : state.substring(0, 2);
  }
}
