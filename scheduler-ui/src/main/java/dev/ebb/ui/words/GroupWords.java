package dev.ebb.ui.words;

import dev.ebb.contract.ErrorGroup;
import java.util.List;
import java.util.function.Function;
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

  /**
   * The same of groups that have either in common.
   *
   * @param groups some of them, at least one
   * @param all how many they are
   */
  public static String name(List<ErrorGroup> groups, long all) {
    ErrorGroup first = groups.getFirst();
    if (all == 1) {
      return name(first);
    }
    if (isCommon(groups, GroupWords::subject)) {
      return Words.counted(all, "error") + " · " + subject(first);
    }
    return isCommon(groups, GroupWords::error)
        ? reason(first) + " · " + Words.counted(all, "subject")
        : Words.counted(all, "group") + " · " + first.queue();
  }

  /** What groups of one row have in common: a subject, an error, or a destination. */
  public static String common(List<ErrorGroup> groups) {
    ErrorGroup first = groups.getFirst();
    if (isCommon(groups, GroupWords::subject)) {
      return subject(first);
    }
    return isCommon(groups, GroupWords::error) ? first.errorReason() : first.queue();
  }

  private static String error(ErrorGroup group) {
    return group.errorReason() + "\n" + group.pattern();
  }

  private static boolean isCommon(List<ErrorGroup> groups, Function<ErrorGroup, String> of) {
    return groups.stream().map(of).distinct().count() == 1;
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
