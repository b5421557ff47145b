package dev.ebb.api.http;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/** Reads a request's body as UTF-8, within its limits of bytes and time. */
public final class Bodies {
  private static final MediaType MERGE_PATCH =
      MediaType.parseMediaType("application/merge-patch+json");

  private static final MediaType FORM =
      MediaType.parseMediaType("application/x-www-form-urlencoded");

  /** Beyond this many bytes, a body takes so long to read that others would wait for a carrier. */
  private static final int LARGE = 256 * 1024;

  private final OneAtATime large = new OneAtATime("large bodies", 8);
  private final int maxBytes;
  private final int maxBatchBytes;
  private final Duration time;

  /**
   * @param maxBytes of a body, at most
   * @param maxBatchBytes of a body that is a batch, at most
   * @param time in which a body must arrive
   */
  public Bodies(int maxBytes, int maxBatchBytes, Duration time) {
    this.maxBytes = maxBytes;
    this.maxBatchBytes = maxBatchBytes;
    this.time = time;
  }

  /** The body as an object; its fields are still to be read and checked. */
  public JsonObject object(HttpServletRequest request) {
    return object(request, MediaType.APPLICATION_JSON);
  }

  /** The same of a merge patch. */
  public JsonObject mergePatch(HttpServletRequest request) {
    return object(request, MERGE_PATCH);
  }

  private JsonObject object(HttpServletRequest request, MediaType type) {
    requireType(request, type);
    return JsonObject.parse(bytes(request, maxBytes).text());
  }

  /**
   * Reads the body of a batch, whose items may be nested as deeply as if each came alone. A large
   * one is read in its turn.
   */
  public <T> T batch(HttpServletRequest request, Function<JsonObject, T> read) throws Exception {
    requireJson(request);
    BodyBytes bytes = bytes(request, maxBatchBytes);
    Callable<T> reading = () -> read.apply(JsonObject.parse(bytes.text(), JsonText.MAX_DEPTH + 2));
    return bytes.size() > LARGE ? large.run(reading) : reading.call();
  }

  /** The body as an object that has none but these fields; no body, or null, has none at all. */
  public JsonObject optional(HttpServletRequest request, String... fields) {
    BodyBytes bytes = bytes(request, maxBytes);
    if (bytes.size() == 0) {
      return JsonObject.empty();
    }
    requireJson(request);
    JsonObject body = JsonObject.parseOptional(bytes.text(), JsonText.MAX_DEPTH);
    body.allow(fields);
    return body;
  }

  /**
   * The body as a form.
   *
   * @param maxBytes of it, at most
   */
  public Form form(HttpServletRequest request, int maxBytes) {
    requireType(request, FORM);
    return Form.parse(bytes(request, maxBytes).whole());
  }

  private static void requireJson(HttpServletRequest request) {
    requireType(request, MediaType.APPLICATION_JSON);
  }

  /** The one place that judges the headers which describe a body. */
  private static void requireType(HttpServletRequest request, MediaType wanted) {
    List<String> types = Collections.list(request.getHeaders("Content-Type"));
    if (types.size() != 1 || !isType(types.getFirst(), wanted)) {
      throw Refusal.of(
          ProblemCode.UNSUPPORTED_MEDIA_TYPE,
          "The Content-Type must be given once, as " + wanted + " in UTF-8.");
    }
    if (request.getHeader("Content-Encoding") != null) {
      throw Refusal.of(
          ProblemCode.UNSUPPORTED_MEDIA_TYPE, "A Content-Encoding is not supported here.");
    }
  }

  private static boolean isType(String contentType, MediaType wanted) {
    try {
      MediaType type = MediaType.parseMediaType(contentType);
      String charset = type.getParameter("charset");
      return type.equalsTypeAndSubtype(wanted)
          && (charset == null || charset.toLowerCase(Locale.ROOT).matches("\"?utf-8\"?"));
    } catch (InvalidMediaTypeException e) {
      return false;
    }
  }

  private BodyBytes bytes(HttpServletRequest request, int maxBytes) {
    if (request.getContentLengthLong() > maxBytes) {
      throw tooLarge(maxBytes);
    }
    try {
      return read(request, maxBytes);
    } catch (SocketTimeoutException e) {
      throw tooSlow();
    } catch (IOException e) {
      throw Refusal.of(ProblemCode.MALFORMED_REQUEST, "The body ended too early.");
    }
  }

  private BodyBytes read(HttpServletRequest request, int maxBytes) throws IOException {
    long start = System.nanoTime();
    InputStream in = request.getInputStream();
    BodyBytes body = new BodyBytes(more -> BodyBudget.take(request, more));
    while (body.readFrom(in)) {
      if (body.size() > maxBytes) {
        throw tooLarge(maxBytes);
      }
      if (System.nanoTime() - start > time.toNanos()) {
        throw tooSlow();
      }
    }
    return body;
  }

  private static Refusal tooLarge(int maxBytes) {
    return Refusal.of(
        ProblemCode.BODY_TOO_LARGE, "The body must be at most " + maxBytes + " bytes.");
  }

  private Refusal tooSlow() {
    return Refusal.of(
        ProblemCode.REQUEST_TIMEOUT,
        "The body must arrive within " + time.toSeconds() + " seconds.");
  }
}
