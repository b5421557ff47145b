package dev.ebb.db.access;

import java.util.List;

/**
 * What was revoked.
 *
 * @param token the one that was named
 * @param revoked all that were live, with those that it made, and they made
 */
public record Revocation(TokenView token, List<TokenView> revoked) {
  public Revocation {
    revoked = List.copyOf(revoked);
  }

  /** How many beside the one that was named. */
  public int others() {
    return Math.toIntExact(revoked.stream().filter(one -> !one.id().equals(token.id())).count());
  }
}
