package dev.ebb.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
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
  Answer post(String path, String body, Duration timeout, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base() + path))
            .timeout(timeout)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    headers.forEach(request::header);
    if (token != null) {
      request.header("Authorization", "Bearer " + token.get());
    }
    HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
    return new Answer(response.statusCode(), response.body(), response.headers());
  }

  private String base() {
    String base = server.toString();
    return base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
  }
}
