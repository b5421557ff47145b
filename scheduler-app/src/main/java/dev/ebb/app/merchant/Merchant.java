package dev.ebb.app.merchant;

import com.sun.net.httpserver.HttpExchange;
import dev.ebb.app.settings.CannotStart;
import dev.ebb.core.NearMiss;
import dev.ebb.core.http.ServedHosts;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * The echo merchant: takes deliveries on one port, and on the next one is told how to answer them.
 *
 * <pre>
 *   GET /             what it does and the last deliveries, as JSON
 *   PUT /behaviour    a word of {@link Behaviour}
 * </pre>
 *
 * <p>A delivery whose path begins with {@code /as/} and such a word is answered so, whatever it was
 * told: one merchant can stand for many.
 */
public final class Merchant implements AutoCloseable {
  private static final Duration SLOW = Duration.ofSeconds(20);
  private static final String RETRY_AFTER_SECONDS = "5";
  private static final int MAX_WORD = 1024;
  private static final JsonMapper JSON = JsonMapper.shared();

  /** It is paid when it is asked so often. */
  private static final int QUESTIONS = 3;

  private static final int MOST_ASKED = 10_000;

  private final Deliveries deliveries = new Deliveries();

  /** By webhook-id, how often it was asked. */
  private final Map<String, Integer> questions =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
              return size() > MOST_ASKED;
            }
          });

  private final ServedHosts controlHosts;
  private final Duration slow;
  private final Listener control;
  private final Listener port;
  private volatile Behaviour behaviour = Behaviour.OK;

  private Merchant(InetAddress address, int port, ServedHosts controlHosts, Duration slow)
      throws IOException {
    this.controlHosts = controlHosts;
    this.slow = slow;
    this.port = new Listener(new InetSocketAddress(address, port), this::receive);
    try {
      int next = port == 0 ? 0 : port + 1;
      this.control = new Listener(new InetSocketAddress(address, next), this::obey);
    } catch (IOException taken) {
      this.port.close();
      throw taken;
    }
  }

  /** Starts it on a port and the next one; on port 0, on any two that are free. */
  public static Merchant start(String host, int port) {
    return start(host, port, List.of());
  }

  /**
   * Starts it on a port and the next one; on port 0, on any two that are free.
   *
   * @param names of hosts, beside {@code localhost} and the host, for which its control may be
   *     asked
   */
  public static Merchant start(String host, int port, List<String> names) {
    return start(host, port, names, SLOW);
  }

  static Merchant start(String host, int port, List<String> names, Duration slow) {
    try {
      ServedHosts controlHosts = ServedHosts.of(host, names);
      return new Merchant(InetAddress.getByName(host), port, controlHosts, slow);
    } catch (IOException taken) {
      throw CannotStart.unable(
          "The merchant cannot listen on %s, ports %s and %s: free them, or set EBB_MERCHANT_PORT."
              .formatted(host, port, port + 1));
    }
  }

  /** The port that deliveries go to. */
  public int port() {
    return port.port();
  }

  /** The port on which it is told how to behave. */
  public int controlPort() {
    return control.port();
  }

  public Behaviour behaviour() {
    return behaviour;
  }

  /** How many deliveries arrived since its start, whatever they were answered. */
  public long total() {
    return deliveries.total();
  }

  /** Answers so from the next delivery on. */
  public synchronized void behave(Behaviour wanted) throws IOException {
    if (wanted == Behaviour.DOWN) {
      port.close();
    } else {
      port.open();
    }
    behaviour = wanted;
  }

  @Override
  public void close() {
    port.close();
    control.close();
  }

  private Answer receive(HttpExchange request) throws IOException {
    request.getRequestBody().transferTo(OutputStream.nullOutputStream());
    Behaviour wanted = Behaviour.ofPath(request.getRequestURI().getPath()).orElse(behaviour);
    Behaviour drawn = wanted.draw(ThreadLocalRandom.current());
    deliveries.add(Clock.systemUTC().instant(), request, drawn);
    return switch (drawn) {
      case OK, MIX -> Answer.json(200, "{\"received\":true}");
      case ERROR -> Answer.json(500, "{\"error\":\"the merchant was told to fail\"}");
      case SLOW -> {
        pause();
        yield Answer.json(200, "{\"received\":true}");
      }
      case THROTTLE ->
          Answer.json(429, "{\"error\":\"too many\"}").with("Retry-After", RETRY_AFTER_SECONDS);
      case SUCCESS -> Answer.text(200, "success");
      case WRONG_BODY -> Answer.json(200, "{\"received\":false}");
      case PAID -> paid(request);
      case GONE -> Answer.json(410, "{\"error\":\"gone\"}");
      case HTML ->
          new Answer(200, "text/html", "<html><body>Please log in</body></html>", Map.of());
      case CLOSE, DOWN -> throw new EOFException("the merchant was told not to answer");
    };
  }

  private Answer paid(HttpExchange request) {
    String job = String.valueOf(request.getRequestHeaders().getFirst("webhook-id"));
    return questions.merge(job, 1, Integer::sum) < QUESTIONS
        ? Answer.json(200, "{\"status\":\"PENDING\"}")
        : Answer.json(200, "{\"status\":\"PAID\",\"paidAt\":\"2027-01-31T08:00:00Z\"}");
  }

  private void pause() throws IOException {
    try {
      Thread.sleep(slow);
    } catch (InterruptedException stopped) {
      throw new InterruptedIOException();
    }
  }

  private Answer obey(HttpExchange request) throws IOException {
    if (!controlHosts.serves(request.getRequestHeaders().getFirst("Host"))) {
      return Answer.text(421, "The Host " + ServedHosts.RULE + ".\n");
    }
    return switch (request.getRequestMethod() + " " + request.getRequestURI().getPath()) {
      case "GET /", "GET /behaviour" -> Answer.json(200, status());
      case "PUT /behaviour" -> switchTo(word(request));
      default -> Answer.text(404, "There are GET / and PUT /behaviour.\n");
    };
  }

  private static String word(HttpExchange request) throws IOException {
    return new String(request.getRequestBody().readNBytes(MAX_WORD), StandardCharsets.UTF_8);
  }

  private Answer switchTo(String word) {
    Optional<Behaviour> wanted = Behaviour.named(word);
    List<String> words = Stream.of(Behaviour.values()).map(Behaviour::word).toList();
    if (wanted.isEmpty()) {
      return Answer.text(
          400,
          "The behaviour must be one of " + words + "." + NearMiss.question(word, words) + "\n");
    }
    try {
      behave(wanted.get());
    } catch (IOException taken) {
      return Answer.text(500, "Another program took port " + port.port() + ".\n");
    }
    return Answer.text(200, wanted.get().word() + ": " + wanted.get().meaning() + "\n");
  }

  private String status() {
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("behaviour", behaviour.word());
    status.put("total", deliveries.total());
    status.put("answers", deliveries.counts());
    status.put("last", deliveries.last());
    return JSON.writeValueAsString(status) + "\n";
  }
}
