package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Why a job waits.
 *
 * @param job its id
 * @param state as it is stored
 * @param waiting whether it does: a job that runs or has ended says so as its only reason
 * @param expectedAt about when its next attempt starts, if a worker is free then; absent where
 *     nobody knows, as in a hold or a pause without an end, and where none starts any more
 * @param reasons the first is the one to look at
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Waiting(
    String job, String state, boolean waiting, @Nullable Instant expectedAt, List<Reason> reasons) {

  private static final Pattern INSTANT =
      Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z");

  /**
   * A reason; what does not apply is absent.
   *
   * @param code for programs; later releases have more
   * @param sentence for people
   * @param since since when
   * @param until until when
   * @param by who held the job or paused the queue
   * @param reason why they did
   * @param inFlight how many jobs of the queue run
   * @param maxConcurrency how many may run at a time
   * @param phase of the limiter
   * @param rate jobs a second that the limiter lets start now
   * @param expectedAt about when the limiter lets this one start
   * @param ahead how many due jobs of the queue come first; more than these unless it is exact
   * @param exact whether the number is no estimate
   * @param blocker the job of its ordering key for which it waits
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Reason(
      String code,
      String sentence,
      @Nullable Instant since,
      @Nullable Instant until,
      @Nullable String by,
      @Nullable String reason,
      @Nullable Integer inFlight,
      @Nullable Integer maxConcurrency,
      @Nullable String phase,
      @Nullable Double rate,
      @Nullable Instant expectedAt,
      @Nullable Integer ahead,
      @Nullable Boolean exact,
      @Nullable String blocker) {

    /**
     * {@return the sentence, parted where it names instants, which a page shows as its reader wants
     * them. /}
     */
    public List<Part> parts() {
      List<Part> parts = new ArrayList<>();
      Matcher instant = INSTANT.matcher(sentence);
      int from = 0;
      while (instant.find()) {
        String text = sentence.substring(from, instant.start());
        parts.add(new Part(text, Instant.parse(instant.group())));
        from = instant.end();
      }
      parts.add(new Part(sentence.substring(from), null));
      return parts;
    }
  }

  /** {@return the job of its ordering key for which it waits; {@code null} for none} */
  public @Nullable String blocker() {
    return reasons.stream().map(Reason::blocker).filter(Objects::nonNull).findFirst().orElse(null);
  }

  /**
   * A text, and the instant behind it.
   *
   * @param text what is told
   * @param at the instant that it names; {@code null} for none
   */
  public record Part(String text, @Nullable Instant at) {}
}
