package dev.ebb.core.http;

import dev.ebb.core.job.Outcome;
import java.util.Map;

/**
 * What a response means, and why.
 *
 * @param rule the one that decided, in words for people: it quotes neither a rule's text nor a body
 * @param result what the rules keep of the body, by name, if it completes the job
 */
public record Verdict(Outcome outcome, String rule, Map<String, String> result) {
  public Verdict {
    result = Map.copyOf(result);
  }

  /** One that keeps nothing. */
  public Verdict(Outcome outcome, String rule) {
    this(outcome, rule, Map.of());
  }
}
