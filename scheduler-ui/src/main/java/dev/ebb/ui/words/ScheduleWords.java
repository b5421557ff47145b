package dev.ebb.ui.words;

import dev.ebb.contract.NamedSchedule;
import dev.ebb.contract.ScheduleExclusions;
import dev.ebb.contract.ScheduleFire;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What schedules and their fires say, in words. */
public final class ScheduleWords {
  private static final DateTimeFormatter MINUTES =
      DateTimeFormatter.ofPattern("EEE uuuu-MM-dd HH:mm", Locale.ENGLISH);
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("EEE uuuu-MM-dd HH:mm:ss", Locale.ENGLISH);
  private static final DateTimeFormatter YEARLY =
      DateTimeFormatter.ofPattern("d MMMM", Locale.ENGLISH);
  private static final int NAMED = 5;

  private ScheduleWords() {}

  /** A local time with its weekday; seconds only where there are some. */
  public static String local(LocalDateTime time) {
    return (time.getSecond() == 0 ? MINUTES : SECONDS).format(time);
  }

  /** The same of an instant, by the clocks of a zone. */
  public static String local(Instant at, String zone) {
    return local(LocalDateTime.ofInstant(at, ZoneId.of(zone)));
  }

  /** What daylight saving does to a fire; empty for nothing. */
  public static String shift(String word) {
    return switch (word) {
      case "gap" -> "clocks go forward: fires at the first valid time";
      case "overlap" -> "time comes twice: fires the first time";
      default -> "";
    };
  }

  public static String misfire(NamedSchedule schedule) {
    return switch (schedule.misfire()) {
      case "skip" -> "submit no job";
      case "all" -> "submit a job each, for the latest " + Words.number(schedule.mostMisfires());
      default -> "submit one job for all";
    };
  }

  public static String overlap(NamedSchedule schedule) {
    return switch (schedule.overlap()) {
      case "skip" -> "submit no job";
      case "queue" -> "wait until it has ended";
      default -> "submit a job anyway";
    };
  }

  /** The days on which it does not fire, one sentence each; none where it has no such days. */
  public static List<String> exclusions(ScheduleExclusions days) {
    List<String> sentences = new ArrayList<>();
    add(sentences, "on ", days.onWeekdays().stream().map(ScheduleWords::capital).toList());
    add(sentences, "every year on ", days.everyYear().stream().map(ScheduleWords::yearly).toList());
    add(sentences, "on ", days.onDates());
    return sentences;
  }

  private static void add(List<String> sentences, String before, List<String> days) {
    if (!days.isEmpty()) {
      String more = days.size() > NAMED ? " and " + (days.size() - NAMED) + " more" : "";
      sentences.add(before + String.join(", ", days.stream().limit(NAMED).toList()) + more);
    }
  }

  private static String yearly(String day) {
    return YEARLY.format(MonthDay.parse(day));
  }

  private static String capital(String word) {
    return Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }

  /** What became of a fire. */
  public static String outcome(ScheduleFire fire) {
    return switch (fire.outcome()) {
      case "gone" -> "job submitted";
      case "available" -> "waiting";
      case "dead_letter" -> "dead letter";
      case "waiting" -> "queued";
      case "overlapped" -> "skipped, overlap";
      case "misfired" -> "missed";
      case "refused" -> "not stored";
      default -> fire.outcome();
    };
  }

  /** The other late fires that it stands for; empty for none. */
  public static String missed(ScheduleFire fire) {
    return fire.missed() == 0 ? "" : "and " + Words.number(fire.missed()) + " missed before it";
  }
}
