package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The subjects whose failing share rises.
 *
 * @param asOf when this was so, by the database's clock
 * @param label that was chosen as subject; absent if destinations are the subjects
 * @param counted attempts that ended in the last hour, of all subjects
 * @param items the steepest rise first
 * @param others all subjects that were not counted one by one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WorseningList(
    Instant asOf,
    @Nullable String label,
    long counted,
    List<WorseningSubject> items,
    Others others) {
  /**
   * What was counted of them together, as of a subject.
   *
   * @param before their share before
   * @param now their share now
   */
  public record Others(FailingShare before, FailingShare now) {}
}
