package dev.ebb.ui.answer;

import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What a policy means in hours, if every attempt fails at once.
 *
 * @param givenUp by when one to nineteen twentieths of such jobs are given up
 */
public record Preview(
    JsonNode policy,
    int maxAttempts,
    List<Attempt> attempts,
    Times giveUp,
    List<Duration> givenUp,
    int simulatedJobs,
    Load load) {

  /** An attempt's start, and the share of such jobs that reach it. */
  public record Attempt(int number, double chance, Times start) {}

  /** Since the first attempt. */
  public record Times(
      Duration earliest, Duration p10, Duration median, Duration p90, Duration latest) {}

  /** What jobs that fail together ask of their receiver. */
  public record Load(int jobs, boolean computed, Second peak, List<Second> seconds) {}

  /** A second: what each job has started before it, and what all start in it. */
  public record Second(Duration at, double attempts, double starts) {}

  /** The policy by its fields. */
  public Policy words() {
    return Policy.of(policy);
  }

  /** The policy as people copy it. */
  public String json() {
    return Json.pretty(policy);
  }
}
