package dev.ebb.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sends a request to the server, once. */
final class Transport {
  private static final Pattern TOKEN = Pattern.compile("[!-~]+");

  private final HttpClient client;
  private final URI server;
  private final @Nullable Supplier<String> token;

  Transport(HttpClient client, URI server, @Nullable Supplier<String> token) {
    this.client = client;
    this.server = server;
    this.token = token;
  }

  /** An {@link IOException} if no answer came in time. */
  Answer post(String path, String body, Patience patience, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base() + path))
            .timeout(patience.whole())
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    headers.forEach(request::header);
    if (token != null) {
      request.header("Authorization", "Bearer " + word(token));
    }
    return send(request.build(), patience);
  }

  /** One that keeps the first token that there is. */
  Transport withOneToken() {
    return token == null ? this : new Transport(client, server, new Once(token));
  }

  /** Asks until there is an answer, and answers that from then on. */
  private static final class Once implements Supplier<String> {
    private final Supplier<String> asked;
    private @Nullable String first;

    Once(Supplier<String> asked) {
      this.asked = asked;
    }

    @Override
    public synchronized String get() {
      if (first == null) {
        first = checked(asked.get());
      }
      return first;
    }
  }

  /** A supplier that fails may succeed the next time. */
  private static String word(Supplier<String> token) throws IOException {
    try {
      return checked(token.get());
    } catch (RuntimeException missing) {
      throw new IOException("there is no token: " + missing.getMessage(), missing);
    }
  }

  /** The token as a header has it, which is not to be shown. */
  static String checked(String token) {
    String word = Objects.requireNonNull(token, "it is null").strip();
    Settings.require(TOKEN.matcher(word).matches(), "a token has visible ASCII characters alone");
    return word;
  }

  private Answer send(HttpRequest request, Patience patience)
      throws IOException, InterruptedException {
    long sent = System.nanoTime();
    HttpResponse<Arriving> response =
        client.send(request, head -> new Arriving(BodyHandlers.ofString().apply(head)));
    Arriving arriving = response.body();
    String text = arriving.text(patience.nanosForBody(sent));
    int status = response.statusCode();
    if (status >= 300 && status < 400) {
      throw new IOException("the answer is a redirect, status " + status);
    }
    return new Answer(status, text, response.headers(), arriving.since());
  }

  private String base() {
    String base = server.toString();
    return base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
  }
}
