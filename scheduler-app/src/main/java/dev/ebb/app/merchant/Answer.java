package dev.ebb.app.merchant;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The answer to a request. */
record Answer(int status, String contentType, String body, Map<String, String> headers) {
  static Answer json(int status, String body) {
    return new Answer(status, "application/json", body, Map.of());
  }

  static Answer text(int status, String body) {
    return new Answer(status, "text/plain; charset=utf-8", body, Map.of());
  }

  Answer with(String header, String value) {
    return new Answer(status, contentType, body, Map.of(header, value));
  }

  void send(HttpExchange exchange) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", contentType);
    headers.forEach(exchange.getResponseHeaders()::set);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
