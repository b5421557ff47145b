package dev.ebb.app.merchant;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** An HTTP/1.1 response. */
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

  void write(OutputStream out) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " " + phrase() + "\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    head.append("Content-Type: ").append(contentType).append("\r\n");
    head.append("Content-Length: ").append(bytes.length).append("\r\n\r\n");
    out.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    out.write(bytes);
    out.flush();
  }

  private String phrase() {
    return switch (status) {
      case 200 -> "OK";
      case 400 -> "Bad Request";
      case 404 -> "Not Found";
      case 421 -> "Misdirected Request";
      case 429 -> "Too Many Requests";
      default -> "Internal Server Error";
    };
  }
}
