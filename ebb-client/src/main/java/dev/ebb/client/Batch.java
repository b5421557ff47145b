package dev.ebb.client;

import java.util.List;
import java.util.function.Function;

/** Jobs that are submitted together: all of them are stored, or none. */
final class Batch {
  private static final int MOST_JOBS = 1000;

  private Batch() {}

  /**
   * A JSON array of the jobs, each as the function writes it. What breaks a rule is told with its
   * place.
   */
  static String array(List<? extends Job<?>> jobs, Function<Job<?>, String> element) {
    InvalidJob.require(jobs.size() <= MOST_JOBS, "jobs", "must be at most " + MOST_JOBS);
    StringBuilder array = new StringBuilder();
    for (int place = 0; place < jobs.size(); place++) {
      try {
        array.append(place == 0 ? '[' : ',').append(element.apply(jobs.get(place)));
      } catch (InvalidJob broken) {
        throw broken.at(place);
      }
    }
    return array.append(']').toString();
  }
}
