package dev.ebb.core.query;

import java.io.Serial;

/** A query that breaks a rule: it names the token, its place and the rule. */
public final class InvalidQuery extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1L;

  private static final int SHOWN = 60;

  private final String token;
  private final int position;

  /**
   * @param token as it was written
   * @param position of its first character, from 1
   * @param rule to be read after the token: "must be …"
   */
  InvalidQuery(String token, int position, String rule) {
    super("(position " + position + ", " + shortened(token) + ") " + rule);
    this.token = token;
    this.position = position;
  }

  private static String shortened(String token) {
    return token.length() <= SHOWN ? token : token.substring(0, SHOWN) + "…";
  }

  public String token() {
    return token;
  }

  public int position() {
    return position;
  }

  /** The whole rule, to be read after the name of what holds the query. */
  public String rule() {
    return String.valueOf(getMessage());
  }
}
