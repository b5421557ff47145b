package dev.ebb.api.jobs;

import dev.ebb.api.access.CardNumberRule;
import dev.ebb.api.http.JsonCards;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.CardNumbers;
import dev.ebb.core.job.NewJob;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Refuses jobs that hold the number of a payment card, by setting: in the payload, in a label or in
 * the unique key. The refusal says where, and never repeats the number.
 */
public final class CardNumberCheck {
  private static final String RULE =
      "must not hold the number of a payment card: this server stores none";

  private final CardNumberRule rule;

  public CardNumberCheck(CardNumberRule rule) {
    this.rule = rule;
  }

  /**
   * Refuses the first of such jobs.
   *
   * @param items the pointer to the list of the jobs; {@code null} if the body is the job
   */
  public void require(List<NewJob> jobs, @Nullable String items) {
    for (int i = 0; i < jobs.size(); i++) {
      require(jobs.get(i), items == null ? "" : items + "/" + i);
    }
  }

  /**
   * Refuses such a job.
   *
   * @param at the pointer to it in the body
   */
  public void require(NewJob job, String at) {
    Refusal refusal = refusal(job, at).orElse(null);
    if (refusal != null) {
      throw refusal;
    }
  }

  /**
   * Refuses JSON text that holds one.
   *
   * @param at the pointer to it in the body
   */
  public void require(String json, String at) {
    String place = rule.refuses() ? JsonCards.find(json).orElse(null) : null;
    if (place != null) {
      throw Refusal.field(at + place, RULE);
    }
  }

  /** The refusal of such a job; empty if it is none. */
  public Optional<Refusal> refusal(NewJob job, String at) {
    return rule.refuses()
        ? place(job).map(place -> Refusal.field(at + place, RULE))
        : Optional.empty();
  }

  private static Optional<String> place(NewJob job) {
    return job.withFollowUps().entrySet().stream()
        .flatMap(one -> placeIn(one.getValue()).map(one.getKey()::concat).stream())
        .findFirst();
  }

  private static Optional<String> placeIn(NewJob job) {
    Optional<String> found = JsonCards.find(job.payload()).map("/payload"::concat);
    if (found.isPresent()) {
      return found;
    }
    if (job.orderingKey() != null && CardNumbers.areIn(job.orderingKey())) {
      return Optional.of("/orderingKey");
    }
    if (job.uniqueKey() != null && CardNumbers.areIn(job.uniqueKey())) {
      return Optional.of("/uniqueKey");
    }
    return job.labels().entrySet().stream()
        .filter(label -> CardNumbers.areIn(label.getKey()) || CardNumbers.areIn(label.getValue()))
        .findFirst()
        .map(Map.Entry::getKey)
        .map(name -> "/labels/" + CardNumbers.masked(name));
  }
}
