package dev.ebb.bench.workload;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A connection over which requests are posted one after the other. It does no more than it must,
 * because it shares the processors with what it measures.
 */
final class RestClient implements AutoCloseable {
  private final int port;
  private final @Nullable String token;
  private Socket socket;
  private InputStream answers;

  /**
   * Connects.
   *
   * @param token sent with each request, beside an Idempotency-Key of its own; {@code null} for
   *     neither
   */
  RestClient(int port, @Nullable String token) throws IOException {
    this.port = port;
    this.token = token;
    this.socket = connect(port);
    this.answers = new BufferedInputStream(socket.getInputStream());
  }

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    return socket;
  }

  /** Posts JSON and reads the answer; throws unless something was created. */
  void post(String path, String json) throws IOException {
    send("POST", path, json, 201);
  }

  /** Gets a page; throws unless there is one. */
  String get(String path) throws IOException {
    return send("GET", path, "", 200);
  }

  /** Polls; an empty text if there was nothing. */
  String poll(String json) throws IOException {
    return send("POST", "/v1/leases", json, 200, 204);
  }

  /** Settles. */
  void settle(String json) throws IOException {
    send("POST", "/v1/leases/settle", json, 200);
  }

  private String send(String method, String path, String json, Integer... expected)
      throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    byte[] head =
        (method
                + " "
                + path
                + " HTTP/1.1\r\nHost: 127.0.0.1:"
                + port
                + "\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length
                + (token == null ? "" : keyed(token))
                + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    byte[] request = new byte[head.length + body.length];
    System.arraycopy(head, 0, request, 0, head.length);
    System.arraycopy(body, 0, request, head.length, body.length);
    socket.getOutputStream().write(request);
    String status = line();
    String text = new String(body(), StandardCharsets.UTF_8);
    if (!List.of(expected).contains(Integer.parseInt(status, 9, 12, 10))) {
      throw new IOException(status + ": " + text);
    }
    return text;
  }

  private static String keyed(String token) {
    return "\r\nAuthorization: Bearer " + token + "\r\nIdempotency-Key: " + UUID.randomUUID();
  }

  /** Reads the header and the body that it announces. */
  private byte[] body() throws IOException {
    int length = 0;
    boolean chunked = false;
    boolean closes = false;
    for (String line = line(); !line.isEmpty(); line = line()) {
      String header = line.toLowerCase(Locale.ROOT);
      if (header.startsWith("content-length:")) {
        length = Integer.parseInt(header.substring(header.indexOf(':') + 1).strip());
      } else if (header.startsWith("transfer-encoding:")) {
        chunked = true;
      } else if (header.equals("connection: close")) {
        closes = true;
      }
    }
    byte[] body = chunked ? chunks() : answers.readNBytes(length);
    if (closes) {
      // The server does so after a number of requests.
      socket.close();
      socket = connect(port);
      answers = new BufferedInputStream(socket.getInputStream());
    }
    return body;
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int size = chunk(); size > 0; size = chunk()) {
      all.write(answers.readNBytes(size));
      line();
    }
    line();
    return all.toByteArray();
  }

  private int chunk() throws IOException {
    return Integer.parseInt(line(), 16);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = answers.read(); next != '\n'; next = answers.read()) {
      if (next < 0) {
        throw new EOFException("the server hung up");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
