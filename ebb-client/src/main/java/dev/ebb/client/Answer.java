package dev.ebb.client;

import dev.ebb.contract.Problem;
import dev.ebb.contract.Violation;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * What the server answered, or something before it.
 *
 * @param since when its head was there, by the monotonic clock
 */
record Answer(int status, String body, HttpHeaders headers, long since) {
  boolean isGood() {
    return status < 300;
  }

  /** What its JSON says; an answer that cannot be read is as good as lost. */
  <T> T read(Function<Json, T> reader) throws IOException {
    try {
      return reader.apply(JsonReader.parseAnswer(body));
    } catch (RuntimeException unreadable) {
      throw new IOException("the answer cannot be read: " + unreadable.getMessage(), unreadable);
    }
  }

  String header(String name) {
    return headers.firstValue(name).orElse("");
  }

  /** How long it asks to be left alone; zero if it does not say, or says it by a date. */
  private Duration retryAfter() {
    String seconds = header("Retry-After");
    return seconds.matches("[0-9]{1,6}")
        ? Duration.ofSeconds(Long.parseLong(seconds))
        : Duration.ZERO;
  }

  /** The refusal that this is. */
  EbbProblem refusal() {
    Problem problem = problem();
    Map<String, String> errors = new LinkedHashMap<>();
    for (Violation error : problem.errors()) {
      String place = error.pointer() == null ? error.parameter() : error.pointer();
      errors.put(String.valueOf(place), error.rule());
    }
    return new EbbProblem(problem, retryAfter(), errors);
  }

  private Problem problem() {
    try {
      return read(problem -> Contract.problem(status, isPassing(), problem));
    } catch (IOException notOurs) {
      return Contract.problem(status, isPassing(), JsonReader.parse("{}"));
    }
  }

  /** Whatever a server or a proxy fails at: each request may be sent again. */
  private boolean isPassing() {
    return status == 408 || status == 429 || status >= 500;
  }
}
