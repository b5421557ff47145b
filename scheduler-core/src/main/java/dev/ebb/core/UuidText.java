package dev.ebb.core;

import java.util.regex.Pattern;

/** The text of a UUID: 36 characters, in either case. {@code UUID.fromString} takes others too. */
public final class UuidText {
  /** A regular expression without groups, to be a part of others. */
  public static final String REGEX = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

  /** The same as a pattern. */
  public static final Pattern PATTERN = Pattern.compile(REGEX);

  private UuidText() {}

  /** Whether the text is one. */
  public static boolean matches(String text) {
    return PATTERN.matcher(text).matches();
  }
}
