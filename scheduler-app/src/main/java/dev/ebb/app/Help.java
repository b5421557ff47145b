package dev.ebb.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What {@code ./ebb help} prints: the commands and the settings. The text is a file, so that the
 * launcher can print it without a JVM.
 */
final class Help {
  static final String FILE = "help.txt";

  private Help() {}

  static String text() {
    try (InputStream file = Objects.requireNonNull(Help.class.getResourceAsStream(FILE))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
