package dev.ebb.ui.answer;

import dev.ebb.api.inside.Reply;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * A refusal.
 *
 * @param traceId under which the log has more; absent where nothing is wrong with the server
 */
public record Problem(int status, String title, @Nullable String detail, @Nullable String traceId) {

  /** The refusal that an answer is. */
  public static Problem read(Reply refused) {
    try {
      return Json.read(refused, Problem.class);
    } catch (JacksonException unreadable) {
      return new Problem(refused.status(), "The API gave no answer", null, null);
    }
  }
}
