package dev.ebb.api.http;

import dev.ebb.api.problem.Refusal;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.NearMiss;
import dev.ebb.core.query.Times;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;
import org.springframework.web.util.UriUtils;

/** The query parameters of a request, each with a value: once, unless its route takes more. */
public final class Query {
  /** What a decoder puts where bytes are no UTF-8; no parameter takes it otherwise either. */
  private static final char UNREADABLE = '\uFFFD';

  private final Map<String, List<String>> parameters = new LinkedHashMap<>();

  private Query(@Nullable String query) {
    if (query != null && !query.isEmpty()) {
      for (String pair : query.split("&", -1)) {
        add(pair);
      }
    }
  }

  public static Query of(HttpServletRequest request) {
    return of(request.getQueryString());
  }

  /** The parameters that stand behind a question mark; {@code null} for none. */
  public static Query of(@Nullable String query) {
    return new Query(query);
  }

  private void add(String pair) {
    int equals = pair.indexOf('=');
    String name = decode(pair, equals < 0 ? pair : pair.substring(0, equals));
    if (equals < 0 || equals == pair.length() - 1) {
      throw Refusal.parameter(name, "must have a value");
    }
    parameters
        .computeIfAbsent(name, _ -> new ArrayList<>())
        .add(decode(name, pair.substring(equals + 1)));
  }

  /**
   * Refuses every parameter but these.
   *
   * @param repeated those that may be given more than once
   */
  void allow(List<String> names, List<String> repeated) {
    parameters.forEach((name, values) -> {
      if (!names.contains(name)) {
        throw Refusal.parameter(name, Names.unknown(name, names.toArray(String[]::new)));
      }
      if (values.size() > 1 && !repeated.contains(name)) {
        throw Refusal.parameter(name, "must not be given twice");
      }
    });
  }

  /** The parameters as a query, but for the one of that name, which has this value alone. */
  String with(String name, String value) {
    Map<String, List<String>> pairs = new LinkedHashMap<>(parameters);
    pairs.remove(name);
    pairs.put(name, List.of(value));
    return pairs.entrySet().stream()
        .flatMap(pair -> pair.getValue().stream().map(one -> encode(pair.getKey(), one)))
        .collect(Collectors.joining("&"));
  }

  private static String encode(String name, String value) {
    return UriUtils.encode(name, StandardCharsets.UTF_8)
        + "="
        + UriUtils.encode(value, StandardCharsets.UTF_8);
  }

  /** The parameter's value; {@code null} where it is absent. */
  public @Nullable String value(String name) {
    List<String> values = values(name);
    return values.isEmpty() ? null : values.getFirst();
  }

  /** The values of a parameter that may be given more than once; none where it is absent. */
  public List<String> values(String name) {
    return parameters.getOrDefault(name, List.of());
  }

  /** The parameter's duration; {@code absent} where it is absent. */
  public Duration duration(String name, Duration most, Duration absent) {
    String value = value(name);
    if (value == null) {
      return absent;
    }
    try {
      Duration duration = Times.duration(name, value);
      InvalidInput.requireBetween(duration, Duration.ZERO, most, name);
      return duration;
    } catch (InvalidInput invalid) {
      throw Refusal.parameter(name, invalid.rule());
    }
  }

  /** The parameter's integer within the range; {@code absent} where it is absent. */
  public int integer(String name, int least, int most, int absent) {
    String value = value(name);
    if (value == null) {
      return absent;
    }
    int number = value.matches("[0-9]{1,6}") ? Integer.parseInt(value) : -1;
    if (number < least || number > most) {
      throw Refusal.parameter(name, "must be an integer between " + least + " and " + most);
    }
    return number;
  }

  /** The parameter's word, one of these; {@code absent} where it is absent. */
  public String word(String name, List<String> known, String absent) {
    String value = value(name);
    if (value == null) {
      return absent;
    }
    if (!known.contains(value)) {
      throw Refusal.parameter(
          name,
          "must be one of " + String.join(", ", known) + "." + NearMiss.question(value, known));
    }
    return value;
  }

  /** The parameter's boolean; {@code absent} where it is absent. */
  public boolean flag(String name, boolean absent) {
    String value = value(name);
    if (value == null) {
      return absent;
    }
    if (!value.equals("true") && !value.equals("false")) {
      throw Refusal.parameter(name, "must be true or false");
    }
    return value.equals("true");
  }

  /** The parameter's instant; {@code null} where it is absent. */
  public @Nullable Instant instant(String name) {
    String value = value(name);
    try {
      return value == null ? null : Times.instant(value);
    } catch (DateTimeException e) {
      throw Refusal.parameter(name, JsonValue.INSTANT_RULE);
    }
  }

  private static String decode(String name, String encoded) {
    String value;
    try {
      value = StringUtils.uriDecode(encoded.replace('+', ' '), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw Refusal.parameter(name, "must be percent-encoded with two hexadecimal digits");
    }
    if (value.indexOf(UNREADABLE) >= 0) {
      throw Refusal.parameter(name, "must be valid UTF-8");
    }
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw Refusal.parameter(name, "must not contain control characters");
    }
    return value;
  }
}
