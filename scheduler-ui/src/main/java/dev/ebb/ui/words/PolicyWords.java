package dev.ebb.ui.words;

import dev.ebb.contract.AttemptForecast;
import dev.ebb.contract.Policy;
import dev.ebb.contract.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A retry policy as a sentence. */
public final class PolicyWords {
  private static final int SHOWN_STEPS = 10;
  private static final int DOUBLE = 2;

  /** That of a job for which nobody asked for another. */
  public static final int NORMAL_PRIORITY = 5;

  private PolicyWords() {}

  /**
   * How often and when a job of the policy is tried.
   *
   * @param maxAttempts the job's budget
   * @param priority the job's, which may scale the delays
   */
  public static String of(Policy policy, int maxAttempts, int priority) {
    List<String> parts = new ArrayList<>();
    parts.add(tries(maxAttempts));
    if (maxAttempts > 1) {
      parts.add(delays(policy, maxAttempts));
      Number scale = policy.priorityScale() == null ? null : policy.priorityScale().get(priority);
      if (scale != null && scale.doubleValue() != 1) {
        parts.add(
            "delays times " + Words.trimmed(scale.doubleValue()) + " at priority " + priority);
      }
    }
    Duration deadline = policy.deadline();
    if (deadline != null) {
      parts.add("no try later than " + Words.length(deadline) + " after the job was first due");
    }
    return String.join(", ", parts);
  }

  /** The same for a job of normal priority, with the policy's own budget. */
  public static String of(Policy policy) {
    return of(policy, policy.maxAttempts(), NORMAL_PRIORITY);
  }

  private static String tries(int maxAttempts) {
    return switch (maxAttempts) {
      case 1 -> "one try and no retry";
      case 2 -> "first try and one retry";
      default -> "first try and up to " + Words.number(maxAttempts - 1L) + " retries";
    };
  }

  private static String delays(Policy policy, int maxAttempts) {
    return switch (policy.jitter()) {
      case "full" -> "full jitter, " + growth(policy) + floor(policy);
      case "equal" -> "equal jitter (half of each delay is certain), " + growth(policy);
      case "none" -> "no jitter, exactly " + growth(policy);
      case "additive" -> growth(policy) + ", plus up to " + Words.length(policy.spread());
      case "decorrelated" ->
          "decorrelated jitter, from "
              + Words.length(policy.base())
              + " to three times the previous delay, at most "
              + Words.length(policy.cap());
      case "slots" ->
          "after the n-th failure a random number of slots of "
              + Words.length(policy.slot())
              + ", from 0 to 2ⁿ − 1 and at most 1,023";
      case "list" -> steps(policy, maxAttempts);
      default -> policy.jitter() + " jitter";
    };
  }

  private static String growth(Policy policy) {
    String base = Words.length(policy.base());
    double factor = number(policy.factor(), DOUBLE);
    if (factor == 1 || Objects.equals(policy.base(), policy.cap())) {
      return base + " each time";
    }
    String grows =
        factor == DOUBLE ? " doubling" : " times " + Words.trimmed(factor) + " each time";
    return base + grows + " to a " + Words.length(policy.cap()) + " cap";
  }

  private static double number(@Nullable Number number, double absent) {
    return number == null ? absent : number.doubleValue();
  }

  private static String floor(Policy policy) {
    Duration floor = policy.floor();
    return floor == null || floor.isZero() ? "" : ", never under " + Words.length(floor);
  }

  private static String steps(Policy policy, int maxAttempts) {
    List<Duration> steps = Objects.requireNonNullElse(policy.steps(), List.of());
    int used = Math.min(steps.size(), maxAttempts - 1);
    String text = "after " + joined(steps.subList(0, used));
    if (maxAttempts - 1 > steps.size()) {
      text += ", then every " + Words.length(steps.getLast());
    }
    double proportion = number(policy.proportion(), 0);
    return proportion == 0 ? text : text + ", each up to " + Words.percent(proportion) + " shorter";
  }

  private static String joined(List<Duration> steps) {
    boolean many = steps.size() > SHOWN_STEPS;
    String first =
        steps.stream()
            .limit(many ? SHOWN_STEPS - 2 : steps.size() - 1L)
            .map(Words::length)
            .collect(Collectors.joining(", "));
    String last = Words.length(steps.getLast());
    if (many) {
      return first + " … " + last + " (" + steps.size() + " steps)";
    }
    return first.isEmpty() ? last : first + " and " + last;
  }

  /**
   * When it is given up.
   *
   * @param first when the first attempt started, or starts
   */
  public static String givesUp(AttemptForecast.Range at, Instant first) {
    Duration early = Duration.between(first, at.p10());
    Duration middle = Duration.between(first, at.p50());
    Duration late = Duration.between(first, at.p90());
    return givesUp(early, middle, late);
  }

  /** The same, from the first attempt on. */
  public static String givesUp(Times at) {
    return givesUp(at.p10(), at.median(), at.p90());
  }

  private static String givesUp(Duration early, Duration middle, Duration late) {
    if (middle.isZero() || middle.isNegative()) {
      return "gives up at the first failure";
    }
    String about = Words.about(middle) + " after the first try";
    if (Words.about(early).equals(Words.about(late))) {
      return "gives up " + about;
    }
    return "gives up about %s, 8 times in 10 between %s and %s"
        .formatted(about, Words.about(early), Words.about(late));
  }

  /** Both, as one sentence. */
  public static String sentence(
      Policy policy,
      int maxAttempts,
      int priority,
      AttemptForecast.@Nullable Range givesUp,
      Instant first) {
    String words = of(policy, maxAttempts, priority);
    String all = givesUp == null ? words : words + "; " + givesUp(givesUp, first);
    return Character.toUpperCase(all.charAt(0)) + all.substring(1) + ".";
  }
}
