package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The circuit of a destination, as it is now.
 *
 * @param destination its name
 * @param state closed, held (closed, but the destination asked to be left alone), open, half_open,
 *     disabled, or a later word
 * @param since when that began
 * @param openSince since when it is not closed; absent if it is
 * @param disabledSince absent unless it was open for too long, or the destination said that it is
 *     gone
 * @param heldUntil nothing starts before then; absent if something may start now. While a probe is
 *     under way, when another one may begin instead
 * @param reason of the failure that opened it last; absent if it never opened
 * @param openings how often it opened since it was last closed
 * @param goodProbes how many probes succeeded since it last opened
 * @param goodVotes of attempts in the last window, as far as they were told
 * @param badVotes the same
 * @param spells the last times in which it kept jobs, by their ends
 * @param rule when it opens and closes
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Circuit(
    String destination,
    String state,
    Instant since,
    @Nullable Instant openSince,
    @Nullable Instant disabledSince,
    @Nullable Instant heldUntil,
    @Nullable String reason,
    int openings,
    int goodProbes,
    int goodVotes,
    int badVotes,
    List<Spell> spells,
    CircuitRule rule) {
  /**
   * A time in which it kept jobs.
   *
   * @param from when it began
   * @param until of a hold, when it ends, or ended
   * @param asked whether the destination asked for it, and did not fail
   */
  public record Spell(Instant from, Instant until, boolean asked) {}

  /** {@return whether jobs wait for it} */
  @JsonIgnore
  public boolean isTroubled() {
    return !state.equals("closed");
  }
}
