package dev.ebb.core.http;

import static dev.ebb.core.InvalidInput.require;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The rules for a delivery's method and headers, about their text alone. */
final class HeaderRules {
  static final int MAX_VALUE = 2048;

  private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}");
  private static final Pattern VALUE = Pattern.compile("[!-~]+(?: +[!-~]+)*");
  private static final Pattern RESERVED =
      Pattern.compile(
          "host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect"
              + "|accept-encoding|http2-settings|proxy-.*|webhook-.*|ebb-.*");
  private static final Pattern FOREIGN_CHARSET =
      Pattern.compile(".*;\\s*charset\\s*=\\s*(?!\"?utf-8\"?\\s*(?:;|$)).*");

  private HeaderRules() {}

  static void requireMethod(String method) {
    require(METHODS.contains(method), "method", "must be GET, POST, PUT, PATCH or DELETE");
  }

  /** The same, sorted by name whatever the case. */
  static Map<String, String> checked(Map<String, String> headers, int most) {
    require(headers.size() <= most, "headers", "must be at most " + most);
    Map<String, String> checked = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach((name, value) -> {
      requireHeader(name, value);
      require(
          checked.put(name, value) == null, "headers." + name, "must be given once, in any case");
    });
    return Collections.unmodifiableMap(checked);
  }

  private static void requireHeader(String name, String value) {
    require(
        NAME.matcher(name).matches(),
        "headers",
        "must have names of 1 to 64 letters, digits and !#$%&'*+-.^_`|~");
    String field = "headers." + name;
    String lower = name.toLowerCase(Locale.ROOT);
    // Behind CGI and its kin, an underscore and a hyphen make the same name.
    require(
        !RESERVED.matcher(lower.replace('_', '-')).matches(),
        field,
        "is reserved: the delivery writes it");
    require(
        value.length() <= MAX_VALUE && VALUE.matcher(value).matches(),
        field,
        "must be 1 to " + MAX_VALUE + " visible ASCII characters, spaces only between them");
    require(
        !lower.equals("content-type")
            || !FOREIGN_CHARSET.matcher(value.toLowerCase(Locale.ROOT)).matches(),
        field,
        "must name no charset other than utf-8");
  }
}
