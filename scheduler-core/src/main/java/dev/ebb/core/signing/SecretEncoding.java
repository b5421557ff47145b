package dev.ebb.core.signing;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How the text of a given secret is turned into its bytes. */
public enum SecretEncoding {
  BASE64,
  HEX,
  UTF8;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<SecretEncoding> named(String word) {
    return Arrays.stream(values()).filter(one -> one.word().equals(word)).findFirst();
  }
}
