package dev.ebb.api.jobs;

import dev.ebb.core.job.NewJob;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The fields by which bodies describe a job: those of {@link NewJob}, but for a few, and {@code
 * destination}, by which a delivery names its queue.
 */
public final class JobFields {
  /** It stands in a header of the request. */
  private static final String TRACE = "traceparent";

  static final String[] OF_SUBMIT = allBut(List.of(), "destination", "onDuplicate");

  /** A schedule says when. */
  static final String[] OF_TEMPLATE = allBut(List.of("runAt", "delay"), "destination");

  /** The job before says when, and nothing follows. */
  static final String[] OF_FOLLOW_UP =
      allBut(List.of("runAt", "then"), "destination", "resultPointer");

  private static final String[] OF_PATCH =
      allBut(List.of("kind", "queue", "delay", "uniqueKey", "orderingKey", "then"), "reason");

  private static final String[] OF_CLONE = allBut(List.of("kind"), "reason");

  private JobFields() {}

  /** Those that a patch may change. */
  public static String[] ofPatch() {
    return OF_PATCH.clone();
  }

  /** Those in which a clone may differ. */
  public static String[] ofClone() {
    return OF_CLONE.clone();
  }

  private static String[] allBut(List<String> without, String... others) {
    return Stream.concat(
            Arrays.stream(NewJob.class.getRecordComponents())
                .map(RecordComponent::getName)
                .filter(field -> !field.equals(TRACE) && !without.contains(field)),
            Stream.of(others))
        .toArray(String[]::new);
  }
}
