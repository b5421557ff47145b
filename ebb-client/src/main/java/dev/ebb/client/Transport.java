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
import org.jspecify.annotations.Nullable;

/** Sends a request to the server, once. */
final class Transport {
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

  /** A supplier that fails may succeed the next time. */
  private static String word(Supplier<String> token) throws IOException {
    try {
      return Objects.requireNonNull(token.get(), "it is null");
    } catch (RuntimeException missing) {
      throw new IOException("there is no token: " + missing.getMessage(), missing);
    }
  }

  private Answer send(HttpRequest request, Patience patience)
      throws IOException, InterruptedException {
    long sent = System.nanoTime();
    HttpResponse<Arriving> response =
        client.send(request, head -> new Arriving(BodyHandlers.ofString().apply(head)));
    Arriving arriving = response.body();
    return new Answer(
        response.statusCode(),
        arriving.text(patience.nanosForBody(sent)),
        response.headers(),
        arriving.since());
  }

  private String base() {
    String base = server.toString();
    return base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
  }
}
