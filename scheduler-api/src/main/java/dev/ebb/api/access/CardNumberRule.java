package dev.ebb.api.access;

/** What happens to the numbers of payment cards. */
public enum CardNumberRule {
  /** Nothing. */
  ALLOW,
  /** Answers show the last four digits; what is stored and sent has them all. */
  MASK,
  /** The same, and nothing that has one is stored. */
  REFUSE;

  boolean masks() {
    return this != ALLOW;
  }

  public boolean refuses() {
    return this == REFUSE;
  }
}
