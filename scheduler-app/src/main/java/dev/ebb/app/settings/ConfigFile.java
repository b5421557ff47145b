package dev.ebb.app.settings;

import dev.ebb.core.NearMiss;
import java.io.IOException;
import java.io.Reader;
import java.io.Serial;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A file of settings: a line {@code EBB_…=value} for each, in the format of Java's properties and
 * in UTF-8. Unlike the environment it has nothing but settings, so a name that is none is refused.
 *
 * @param values by the names of their variables
 */
public record ConfigFile(Path path, Map<String, String> values) {
  public ConfigFile {
    values = Map.copyOf(values);
  }

  /** Notes the names that come twice, of which the last would count. */
  private static final class Lines extends Properties {
    @Serial private static final long serialVersionUID = 1L;
    private final transient List<String> broken = new ArrayList<>();

    @Override
    public synchronized Object put(Object name, Object value) {
      if (containsKey(name)) {
        broken.add(name + " is given twice.");
      }
      return super.put(name, value);
    }
  }

  /**
   * Reads it.
   *
   * @param by what named it, for a refusal
   * @throws CannotStart if it cannot be read, or has anything but settings
   */
  public static ConfigFile read(String by, String name) {
    Lines lines = new Lines();
    Path path = load(by, name, lines);
    Map<String, String> values = new TreeMap<>();
    lines
        .stringPropertyNames()
        .forEach(key -> values.put(key, Objects.requireNonNull(lines.getProperty(key))));
    List<String> broken = new ArrayList<>(lines.broken);
    values.keySet().stream().flatMap(ConfigFile::refusal).forEach(broken::add);
    if (!broken.isEmpty()) {
      throw CannotStart.wrongUse(
          String.join("\n", broken.stream().map(rule -> path + ": " + rule).toList()));
    }
    return new ConfigFile(path, values);
  }

  private static Path load(String by, String name, Properties lines) {
    try {
      Path path = Path.of(name).toAbsolutePath();
      try (Reader reader = Files.newBufferedReader(path)) {
        lines.load(reader);
      }
      return path;
    } catch (IOException | InvalidPathException unreadable) {
      throw CannotStart.wrongUse(
          by + " must name a file of UTF-8 text that can be read, and " + name + " cannot");
    } catch (IllegalArgumentException escape) {
      throw CannotStart.wrongUse(
          name + ": a backslash and u must come before four hexadecimal digits");
    }
  }

  private static Stream<String> refusal(String name) {
    if (name.equals(Setting.CONFIG.variable())) {
      return Stream.of(name + " belongs in the environment.");
    }
    List<String> known = Stream.of(Setting.values()).map(Setting::variable).toList();
    return known.contains(name)
        ? Stream.empty()
        : Stream.of(name + " is not a setting." + NearMiss.question(name, known));
  }

  /** Whether it has secrets, which other users of the machine must not read. */
  boolean hasSecrets() {
    return Stream.of(Setting.values())
        .filter(Setting::isSecret)
        .anyMatch(secret -> !values.getOrDefault(secret.variable(), "").isBlank());
  }
}
