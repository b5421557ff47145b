package dev.ebb.api;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client's connection from an address of its own choice; what it sends is up to the test. */
final class Sender implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 60_000;
  private static final int CONNECT_MILLIS = 2_000;
  private static final Pattern LENGTH = Pattern.compile("(?i)content-length: ([0-9]+)");

  private final Socket socket;

  private Sender(Socket socket) {
    this.socket = socket;
  }

  /** Connects from one loopback address, such as {@code 127.0.0.2}, to a port of 127.0.0.1. */
  static Sender from(String address, int port) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(InetAddress.ofLiteral(address), 0));
    socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), CONNECT_MILLIS);
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

  /** Asks for a path, and answers all that comes back until the other side closes. */
  String get(String path) throws IOException {
    return send("GET " + path + " HTTP/1.1¶Host: localhost¶Connection: close¶¶").answer();
  }

  /** Whether the other side closes the connection within the time, without an answer. */
  boolean isClosedWithin(Duration time) throws IOException {
    socket.setSoTimeout(Math.toIntExact(time.toMillis()));
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (SocketException reset) {
      return true;
    }
  }

  /** Reads one answer to its end, and leaves the connection open. */
  void readAnswer() throws IOException {
    socket.setSoTimeout(PATIENCE_MILLIS);
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        throw new EOFException(head.toString());
      }
      head.append((char) next);
    }
    Matcher length = LENGTH.matcher(head);
    socket.getInputStream().readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
  }

  /** All that comes back until the other side closes. */
  String answer() throws IOException {
    socket.setSoTimeout(PATIENCE_MILLIS);
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
