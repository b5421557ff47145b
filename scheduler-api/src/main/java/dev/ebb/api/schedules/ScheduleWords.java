package dev.ebb.api.schedules;

import dev.ebb.api.http.JsonValue;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.NearMiss;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Choices as bodies and answers write them: the names of constants in lower case. */
final class ScheduleWords {
  private ScheduleWords() {}

  /** The name of the constant in lower case. */
  static String of(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  /** The choice that a field names. */
  static <E extends Enum<E>> E read(JsonValue field, Class<E> choices) {
    String word = field.string();
    List<E> all = Arrays.asList(choices.getEnumConstants());
    List<String> words = all.stream().map(ScheduleWords::of).toList();
    int found = words.indexOf(word);
    if (found < 0) {
      throw Refusal.field(
          field.pointer(),
          "must be one of " + String.join(", ", words) + "." + NearMiss.question(word, words));
    }
    return all.get(found);
  }
}
