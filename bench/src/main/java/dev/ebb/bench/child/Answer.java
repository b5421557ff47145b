package dev.ebb.bench.child;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a child answers: one line of JSON.
 *
 * @param failure what went wrong; {@code null} if nothing did
 * @param value the number that was asked for
 * @param samples the numbers, where many were asked for
 */
public record Answer(@Nullable String failure, double value, List<Integer> samples) {

  static Answer done() {
    return of(0);
  }

  static Answer of(double value) {
    return new Answer(null, value, List.of());
  }

  static Answer of(List<Integer> samples) {
    return new Answer(null, 0, samples);
  }

  public static Answer failed(Exception failure) {
    return new Answer(failure.toString(), 0, List.of());
  }
}
