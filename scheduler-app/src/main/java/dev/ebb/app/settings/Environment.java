package dev.ebb.app.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a process, read one by one: a wrong one is noted with its rule and read as its
 * default, so that all wrong ones can be told together.
 */
final class Environment {
  private final Given given;
  private final List<String> broken = new ArrayList<>();

  Environment(Given given) {
    this.given = given;
  }

  /** The broken rules so far, each with the name of its variable. */
  List<String> broken() {
    return List.copyOf(broken);
  }

  boolean has(Setting setting) {
    return given.origin(setting) != Given.Origin.DEFAULT;
  }

  String text(Setting setting) {
    return given.value(setting);
  }

  int whole(Setting setting, int min, int max) {
    return wholeOrNone(setting, min, max).orElseThrow();
  }

  /** The same; none where both the variable and its default are empty. */
  OptionalInt wholeOrNone(Setting setting, int min, int max) {
    String rule = "must be a whole number from " + min + " to " + max;
    return read(
        setting,
        rule,
        text -> {
          if (text.isEmpty()) {
            return OptionalInt.empty();
          }
          int value = Integer.parseInt(text);
          return value >= min && value <= max ? OptionalInt.of(value) : null;
        });
  }

  boolean yesOrNo(Setting setting) {
    return read(
        setting,
        "must be true or false",
        text ->
            switch (text.toLowerCase(Locale.ROOT)) {
              case "true" -> Boolean.TRUE;
              case "false" -> Boolean.FALSE;
              default -> null;
            });
  }

  boolean onOrOff(Setting setting) {
    return read(
        setting,
        "must be on or off",
        text ->
            switch (text) {
              case "on" -> Boolean.TRUE;
              case "off" -> Boolean.FALSE;
              default -> null;
            });
  }

  String oneOf(Setting setting, List<String> words) {
    return read(
        setting,
        "must be one of " + String.join(", ", words),
        text ->
            words.contains(text.toLowerCase(Locale.ROOT)) ? text.toLowerCase(Locale.ROOT) : null);
  }

  /** ISO 8601 with or without its leading {@code PT}: {@code 15s}, {@code 1h30m}, {@code 0.5s}. */
  Duration duration(Setting setting, Duration min, Duration max) {
    String rule = "must be a duration such as 15s or 2m, from " + words(min) + " to " + words(max);
    return read(
        setting,
        rule,
        text -> {
          String iso = text.toUpperCase(Locale.ROOT);
          Duration value = Duration.parse(iso.startsWith("P") ? iso : "PT" + iso);
          return value.compareTo(min) >= 0 && value.compareTo(max) <= 0 ? value : null;
        });
  }

  List<String> list(Setting setting) {
    return Stream.of(text(setting).split(","))
        .map(String::strip)
        .filter(s -> !s.isEmpty())
        .toList();
  }

  Path path(Setting setting) {
    return read(
        setting,
        "must be a path",
        text -> {
          boolean inHome = text.equals("~") || text.startsWith("~/");
          return Path.of(inHome ? System.getProperty("user.home") + text.substring(1) : text)
              .toAbsolutePath();
        });
  }

  String firstLine(Setting setting) {
    Path file = path(setting);
    try (Stream<String> lines = Files.lines(file)) {
      return lines.findFirst().orElse("");
    } catch (IOException | UncheckedIOException unreadable) {
      require(false, setting, "must name a file that can be read, and " + file + " cannot");
      return "";
    }
  }

  void require(boolean holds, Setting setting, String rule) {
    if (!holds) {
      broken.add(setting.variable() + " " + rule);
    }
  }

  /** Reads a setting by a function; if that returns {@code null} or throws, the rule is broken. */
  @FunctionalInterface
  interface Reading<T> {
    @Nullable T of(String text);
  }

  <T> T read(Setting setting, String rule, Reading<T> reading) {
    try {
      T value = reading.of(text(setting));
      if (value != null) {
        return value;
      }
    } catch (IllegalArgumentException | DateTimeException wrong) {
      // The rule says it better.
    }
    require(false, setting, rule);
    return Objects.requireNonNull(reading.of(setting.fallback()));
  }

  private static String words(Duration duration) {
    return duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
  }
}
