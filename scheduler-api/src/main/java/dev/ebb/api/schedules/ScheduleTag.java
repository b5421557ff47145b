package dev.ebb.api.schedules;

import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Conditions;
import dev.ebb.db.schedule.ScheduleView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The strong entity tag of a schedule as one caller sees it: when it was created, the version of
 * what people set, and a digest of the answer.
 *
 * <p>To know the answer is to know its fires too. To mean the schedule is to name its version: it
 * may have fired since.
 */
final class ScheduleTag {
  private ScheduleTag() {}

  static String of(ScheduleView schedule, byte[] answer) {
    return '"' + version(schedule) + Answer.digest(answer) + '"';
  }

  /** What a PUT assumes of the schedule as it is under its lock. */
  static Consumer<Optional<ScheduleView>> forPut(Conditions conditions) {
    return now -> conditions.requireForPut(meant(conditions, now));
  }

  /** What a DELETE assumes of it. */
  static Consumer<Optional<ScheduleView>> forDelete(Conditions conditions) {
    return now -> conditions.require(meant(conditions, now));
  }

  private static @Nullable String meant(Conditions conditions, Optional<ScheduleView> now) {
    return now.map(ScheduleTag::version).map(conditions::meant).orElse(null);
  }

  private static String version(ScheduleView schedule) {
    long created = ChronoUnit.MICROS.between(Instant.EPOCH, schedule.createdAt());
    return Long.toString(created, Character.MAX_RADIX) + "." + schedule.version() + ".";
  }
}
