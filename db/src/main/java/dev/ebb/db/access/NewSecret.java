package dev.ebb.db.access;

/**
 * A token that was just made.
 *
 * @param text the token, secret included; it is shown once and stored nowhere
 */
public record NewSecret(String text, TokenView token) {
  /** Without the text. */
  @Override
  public String toString() {
    return "NewSecret[" + token + "]";
  }
}
