package dev.ebb.core.job;

import static dev.ebb.core.InvalidInput.require;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What follows a job, and what it follows itself.
 *
 * <pre>
 *   the job completes ──────▶ completed     each at most once in the job's life, by the transaction
 *   becomes a dead letter ──▶ deadLetter    that ends the job
 *   is cancelled, discarded   nothing
 * </pre>
 *
 * <p>A dead letter that is redriven may still complete: then both were submitted.
 *
 * @param of the job that this one follows; {@code null} for none
 */
public record FollowUps(
    @Nullable FollowUp completed, @Nullable FollowUp deadLetter, @Nullable UUID of) {

  public FollowUps {
    require(
        completed != null || deadLetter != null || of != null,
        "then",
        "must have completed, deadLetter or both");
  }

  /** Those of a job that follows this one. */
  public static FollowUps of(UUID first) {
    return new FollowUps(null, null, first);
  }

  /** The jobs that are planned, by their pointers in a submit. */
  public SequencedMap<String, NewJob> planned() {
    SequencedMap<String, NewJob> planned = new LinkedHashMap<>();
    if (completed instanceof FollowUp.Planned(NewJob job, _)) {
      planned.put("/then/completed", job);
    }
    if (deadLetter instanceof FollowUp.Planned(NewJob job, _)) {
      planned.put("/then/deadLetter", job);
    }
    return planned;
  }

  /** The same, where planned jobs are changed so. */
  public FollowUps planning(UnaryOperator<NewJob> change) {
    return new FollowUps(planning(completed, change), planning(deadLetter, change), of);
  }

  private static @Nullable FollowUp planning(
      @Nullable FollowUp followUp, UnaryOperator<NewJob> change) {
    return followUp instanceof FollowUp.Planned(NewJob job, String pointer)
        ? new FollowUp.Planned(change.apply(job), pointer)
        : followUp;
  }

  /** What is to be submitted by a transaction that settles the job so; {@code null} for nothing. */
  public FollowUp.@Nullable Planned due(Settlement settlement) {
    FollowUp next =
        switch (settlement) {
          case Settlement.Complete _ -> completed;
          case Settlement.DeadLetter _ -> deadLetter;
          case Settlement.Retry _,
              Settlement.Snooze _,
              Settlement.GiveBack _,
              Settlement.Cancel _ ->
              null;
        };
    return next instanceof FollowUp.Planned planned ? planned : null;
  }

  /** The same after that settlement, of whose plan this became. */
  public FollowUps after(Settlement settlement, FollowUp became) {
    return settlement instanceof Settlement.Complete
        ? new FollowUps(became, deadLetter, of)
        : new FollowUps(completed, became, of);
  }
}
