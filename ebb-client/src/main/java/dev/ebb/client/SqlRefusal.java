package dev.ebb.client;

import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an error of {@code ebb.submit} means. */
final class SqlRefusal {
  private static final String BROKEN_RULE = "EB001";

  /** Waited for a lock, cannot be serialized, deadlocked. */
  private static final Set<String> PASSING = Set.of("55P03", "40001", "40P01");

  /** The field and its rule, behind the severity in whatever language. */
  private static final Pattern RULE = Pattern.compile("\\A(?:\\S+: )?(\\S+) (.*)");

  /** The detail, if the driver tells it: the JSON pointer of the field. */
  private static final Pattern PLACE = Pattern.compile("(?m)^\\s*\\S+: /(\\d{1,4})/");

  private SqlRefusal() {}

  /** Throws what a caller can tell apart, and answers any other error to be thrown. */
  static SQLException of(SQLException e) {
    String state = Objects.requireNonNullElse(e.getSQLState(), "");
    String message = Objects.requireNonNullElse(e.getMessage(), "");
    if (PASSING.contains(state)) {
      throw new TryAgain(e);
    }
    Matcher rule = RULE.matcher(message);
    if (state.equals(BROKEN_RULE) && rule.find()) {
      Matcher place = PLACE.matcher(message);
      throw new InvalidJob(
          rule.group(1), rule.group(2), place.find() ? Integer.valueOf(place.group(1)) : null, e);
    }
    return e;
  }
}
