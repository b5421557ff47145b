package dev.ebb.ui.answer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Why a job waits, the reason to look at first before the others. */
public record Waiting(boolean waiting, List<Reason> reasons) {
  /**
   * A reason.
   *
   * @param by who held the job or paused the queue
   * @param reason why
   */
  public record Reason(
      String code,
      String sentence,
      @Nullable Instant until,
      @Nullable Instant expectedAt,
      @Nullable String by,
      @Nullable String reason) {
    private static final Pattern INSTANT =
        Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z");

    /**
     * The sentence, parted where it names instants, which a page shows as its reader wants them.
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

  /** A text, and the instant behind it. */
  public record Part(String text, @Nullable Instant at) {}
}
