package dev.ebb.ui.words;

import dev.ebb.contract.ErrorGroup;
import dev.ebb.contract.ErrorGroupList;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the dead letters of a group have in common, as people read it. */
public final class GroupWords {
  private static final Pattern STATUS = Pattern.compile("http_(\\d{3})");
  private static final String ANSWERED = "answered <number>";

  private GroupWords() {}

  /** Whose dead letters they are. */
  public static String subject(ErrorGroup group) {
    if (group.subject() != null) {
      return group.subject();
    }
    return group.otherSubjects() ? "other subjects" : "no subject";
  }

  /** What failed and whose they are, in short: {@code 500 · bikes-ghent}. */
  public static String name(ErrorGroup group) {
    return reason(group) + " · " + subject(group);
  }

  /** The same of the groups of a row, of which there are some: by what the row covers. */
  public static String name(ErrorGroupList row) {
    ErrorGroup first = row.items().getFirst();
    return switch (by(row)) {
      case "subject" -> Words.counted(row.total(), "error") + " · " + subject(first);
      case "error" -> reason(first) + " · " + Words.counted(row.total(), "subject");
      case "destination" -> Words.counted(row.total(), "group") + " · " + first.queue();
      default -> name(first);
    };
  }

  /** What the row covers, whatever its groups have in common besides. */
  public static String common(ErrorGroupList row) {
    ErrorGroup first = row.items().getFirst();
    return switch (by(row)) {
      case "subject" -> subject(first);
      case "error" -> first.errorReason();
      case "destination" -> first.queue();
      default -> name(first);
    };
  }

  private static String by(ErrorGroupList row) {
    return Objects.requireNonNullElse(row.rowBy(), "error_subject");
  }

  private static String reason(ErrorGroup group) {
    Matcher status = STATUS.matcher(group.errorReason());
    return status.matches() ? status.group(1) : group.errorReason();
  }

  /**
   * The pattern of its messages; a status that its reason names, and lengths of time are in words.
   *
   * @param none what stands for an empty one
   */
  public static String message(ErrorGroup group, String none) {
    if (group.pattern().isBlank()) {
      return none;
    }
    String message = group.pattern().replace("PT<number>S", "<number> s");
    Matcher status = STATUS.matcher(group.errorReason());
    return status.matches() && message.endsWith(ANSWERED)
        ? message.replace(ANSWERED, "answered " + status.group(1))
        : message;
  }
}
