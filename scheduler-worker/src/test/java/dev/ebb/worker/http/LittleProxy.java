package dev.ebb.worker.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy on loopback that opens tunnels, to those who say the password if there is one. */
final class LittleProxy implements AutoCloseable {
  /** The heads of the requests for a tunnel, in the order in which they came. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  private final String credentials;
  private final Wire wire;

  /** For everybody. */
  LittleProxy() {
    this("");
  }

  /** For those who say {@code user:password}. */
  LittleProxy(String credentials) {
    this.credentials = credentials;
    this.wire = new Wire(this::serve);
  }

  private void serve(Wire wire, Socket client) throws Exception {
    String head = head(client.getInputStream());
    asked.add(head);
    if (!credentials.isEmpty() && !head.contains("Proxy-Authorization: Basic " + encoded())) {
      Wire.send(client, "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    String[] authority = head.split(" ", 3)[1].split(":(?=\\d+$)", 2);
    try (Socket destination = new Socket(authority[0], Integer.parseInt(authority[1]))) {
      Wire.send(client, "HTTP/1.1 200 Connection established\r\nVia: little\r\n\r\n");
      Thread back = Thread.ofPlatform().daemon().start(() -> pour(destination, client));
      pour(client, destination);
      back.join();
    }
  }

  private String encoded() {
    return Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int read = in.read();
      if (read < 0) {
        throw new IOException("cut");
      }
      head.append((char) read);
    }
    return head.toString();
  }

  private static void pour(Socket from, Socket to) {
    try {
      OutputStream out = to.getOutputStream();
      from.getInputStream().transferTo(out);
      to.shutdownOutput();
    } catch (IOException _) {
      // One of them has closed.
    }
  }

  int port() {
    return wire.port();
  }

  String url() {
    return "http://127.0.0.1:" + port();
  }

  int connections() {
    return wire.connections();
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
