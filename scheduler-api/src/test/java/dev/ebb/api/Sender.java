package dev.ebb.api;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client's connection from an address of its own choice; what it sends is up to the test. */
final class Sender implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 60_000;

  private final Socket socket;

  private Sender(Socket socket) {
    this.socket = socket;
  }

  /** Connects from one loopback address, such as {@code 127.0.0.2}, to a port of 127.0.0.1. */
  static Sender from(String address, int port) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(InetAddress.ofLiteral(address), 0));
    socket.connect(
        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), PATIENCE_MILLIS);
    socket.setSoTimeout(PATIENCE_MILLIS);
    return new Sender(socket);
  }

  /** Sends text, with a ¶ for each line's end. */
  Sender send(String text) throws IOException {
    return send(text.replace("¶", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
  }

  Sender send(byte[] bytes) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(bytes);
    out.flush();
    return this;
  }

  /** Begins a request with a body of so many bytes. */
  Sender begin(String path, long length) throws IOException {
    return send(
        "POST "
            + path
            + " HTTP/1.1¶Host: localhost¶Content-Type: application/json¶Connection: close¶"
            + "Content-Length: "
            + length
            + "¶¶");
  }

  /** All that comes back until the other side closes. */
  String answer() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
