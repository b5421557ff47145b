package dev.ebb.ui.words;

import dev.ebb.contract.ErrorGroup;
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
