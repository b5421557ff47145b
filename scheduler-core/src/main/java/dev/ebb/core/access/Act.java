package dev.ebb.core.access;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.Text;
import org.jspecify.annotations.Nullable;

/**
 * The actor of an action, with address and reason, for the audit.
 *
 * @param actor the name of a token, or of what acts by itself
 * @param tokenId that token's; {@code null} if it has no row
 * @param address of the client; {@code null} for what acts on the machine
 * @param reason 1 to 500 characters; {@code null} if none was given
 */
public record Act(
    String actor, @Nullable String tokenId, @Nullable String address, @Nullable String reason) {
  private static final int LONGEST_REASON = 500;

  public Act {
    if (reason != null) {
      require(
          !reason.isBlank() && reason.length() <= LONGEST_REASON && Text.isStorable(reason),
          "reason",
          "must be 1 to 500 characters, without NUL or lone surrogates");
    }
  }

  /** What acts on the machine, without a token. */
  public static Act onMachine(String actor) {
    return new Act(actor, null, null, null);
  }

  /** Whether it acts on the machine, and not by a request. */
  public boolean isOnMachine() {
    return address == null;
  }
}
