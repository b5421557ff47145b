package dev.ebb.app.settings;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The values of settings, and where they come from:
 *
 * <pre>
 *   environment ──▶ file ──▶ what the program takes for its default ──▶ {@link Setting#fallback}
 * </pre>
 *
 * <p>The first that gives a value counts; one that is blank gives none. A secret and the file of
 * that secret are one value: who gives either in the environment means neither of the file's.
 *
 * @param file {@code null} for none
 */
public record Given(
    Map<String, String> environment, @Nullable ConfigFile file, Map<Setting, String> fallbacks) {
  private static final String SECRET_FILE = "_FILE";

  public Given {
    environment = Map.copyOf(environment);
    fallbacks = Map.copyOf(fallbacks);
  }

  /** Where a value comes from. */
  public enum Origin {
    ENVIRONMENT,
    FILE,
    DEFAULT;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What the environment gives alone. */
  public static Given of(Map<String, String> environment) {
    return new Given(environment, null, Map.of());
  }

  /**
   * The same with the file that the environment or the command line names, if any does.
   *
   * @param named on the command line, which counts before {@code EBB_CONFIG}
   * @throws CannotStart as {@link ConfigFile#read}
   */
  public static Given of(
      Map<String, String> environment, @Nullable String named, Map<Setting, String> fallbacks) {
    String variable = Setting.CONFIG.variable();
    String path = named == null ? environment.getOrDefault(variable, "").strip() : named;
    ConfigFile file =
        named == null && path.isEmpty()
            ? null
            : ConfigFile.read(named == null ? variable : "--config", path);
    return new Given(environment, file, fallbacks);
  }

  /** Where the setting's value comes from. */
  public Origin origin(Setting setting) {
    if (has(environment, setting.variable())) {
      return Origin.ENVIRONMENT;
    }
    return file != null
            && has(file.values(), setting.variable())
            && Stream.of(partner(setting)).noneMatch(other -> has(environment, other))
        ? Origin.FILE
        : Origin.DEFAULT;
  }

  /** The setting's value, without blanks around it. */
  public String value(Setting setting) {
    String variable = setting.variable();
    return switch (origin(setting)) {
      case ENVIRONMENT -> environment.getOrDefault(variable, "").strip();
      case FILE -> file == null ? "" : file.values().getOrDefault(variable, "").strip();
      case DEFAULT -> fallbacks.getOrDefault(setting, setting.fallback());
    };
  }

  /** The other variable that gives the same secret, if it is one. */
  private static String partner(Setting setting) {
    String variable = setting.variable();
    return variable.endsWith(SECRET_FILE)
        ? variable.substring(0, variable.length() - SECRET_FILE.length())
        : variable + SECRET_FILE;
  }

  private static boolean has(Map<String, String> values, String variable) {
    return !values.getOrDefault(variable, "").isBlank();
  }
}
