package dev.ebb.ui.page.jobs;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a list of jobs that somebody chose, or the usual ones.
 *
 * @param shown in their order
 */
public record JobColumns(List<JobColumn> shown) {

  /**
   * Those that an address names; names that mean none are left out.
   *
   * @param values each with one name or more, between commas
   */
  static JobColumns of(List<String> values) {
    if (values.isEmpty()) {
      return new JobColumns(List.copyOf(JobColumn.USUAL));
    }
    Set<String> words = Set.copyOf(List.of(String.join(",", values).split(",")));
    Set<JobColumn> chosen = EnumSet.of(JobColumn.JOB);
    for (JobColumn column : JobColumn.choices()) {
      if (words.contains(column.word())) {
        chosen.add(column);
      }
    }
    return new JobColumns(List.copyOf(chosen));
  }

  /** All that can be chosen. */
  public List<JobColumn> choices() {
    return JobColumn.choices();
  }

  public boolean has(JobColumn column) {
    return shown.contains(column);
  }

  /** As an address names them; {@code null} for the usual ones. */
  public @Nullable String words() {
    return isUsual() ? null : shown.stream().map(JobColumn::word).collect(Collectors.joining(","));
  }

  public boolean isUsual() {
    return shown.equals(List.copyOf(JobColumn.USUAL));
  }
}
