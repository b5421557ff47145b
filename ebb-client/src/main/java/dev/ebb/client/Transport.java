package dev.ebb.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    headers.forEach(request::header);
    if (token != null) {
      request.header("Authorization", "Bearer " + token.get());
    }
    HttpResponse<String> response = send(request.build(), timeout);
    return new Answer(response.statusCode(), response.body(), response.headers());
  }

  /** Bounds the whole answer: before Java 26, the timeout of a request ends with its headers. */
  private HttpResponse<String> send(HttpRequest request, Duration timeout)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<String>> response =
        client.sendAsync(request, BodyHandlers.ofString());
    try {
      return response.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new HttpTimeoutException("no answer within " + timeout);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof IOException lost ? lost : new IOException(failed);
    } finally {
      response.cancel(true);
    }
  }

  private String base() {
    String base = server.toString();
    return base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
  }
}
