package dev.ebb.ui.words;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes paths with parameters. */
public final class Url {
  private Url() {}

  /**
   * The path with its query.
   *
   * @param parameters names and values in turn; those whose value is null or empty are left out
   */
  public static String of(String path, @Nullable String... parameters) {
    StringBuilder url = new StringBuilder(path);
    char before = '?';
    for (int i = 0; i + 1 < parameters.length; i += 2) {
      String value = parameters[i + 1];
      if (value != null && !value.isEmpty()) {
        url.append(before).append(parameters[i]).append('=').append(encoded(value));
        before = '&';
      }
    }
    return url.toString();
  }

  /** The query without its parameters that have no value, as forms send what nobody filled in. */
  public static String withoutEmpty(String query) {
    return Arrays.stream(query.split("&", -1))
        .filter(pair -> pair.indexOf('=') > 0 && !pair.endsWith("="))
        .collect(Collectors.joining("&"));
  }

  /** The query without the parameter of this plain name. */
  public static String without(String name, String query) {
    return Arrays.stream(query.split("&", -1))
        .filter(pair -> !pair.startsWith(name + "="))
        .collect(Collectors.joining("&"));
  }

  /** A name as a segment of a path. */
  public static String segment(String name) {
    return encoded(name).replace("+", "%20");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
