package dev.ebb.core.access;

import java.util.Optional;

/**
 * The text that lets read one job's story: that of an {@link AccessToken} without what it begins
 * with, so that neither can be taken for the other.
 */
public final class LinkToken {
  private static final String BEGIN = "ebb_";

  private LinkToken() {}

  /**
   * The text of a new one.
   *
   * @param random {@value AccessToken#BYTES} bytes that nobody can foretell
   */
  public static String text(byte[] random) {
    return AccessToken.text(random).substring(BEGIN.length());
  }

  /** The id within a text; empty if it is none. */
  public static Optional<String> id(String text) {
    return AccessToken.id(BEGIN + text);
  }
}
