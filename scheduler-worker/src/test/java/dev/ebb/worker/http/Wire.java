package dev.ebb.worker.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A server on loopback that does to a connection just what the test says, byte by byte. It runs on
 * platform threads: the virtual ones share two carriers with the jobs of every other test.
 */
final class Wire implements AutoCloseable {
  private final ServerSocket server;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  /** The request heads that were read, in the order in which they came. */
  final List<String> requests = new CopyOnWriteArrayList<>();

  /** What happens to each connection; an {@link IOException} ends it. */
  @FunctionalInterface
  interface Script {
    void play(Wire wire, Socket socket) throws Exception;
  }

  Wire(Script script) {
    this(listening(), script);
  }

  Wire(ServerSocket server, Script script) {
    this.server = server;
    Thread.ofPlatform().daemon().start(() -> accept(script));
  }

  /** Answers every request on every connection with these bytes. */
  static Wire answering(String answer) {
    return new Wire((wire, socket) -> {
      while (wire.readRequest(socket)) {
        send(socket, answer);
      }
    });
  }

  /** The port of loopback on which nobody listens. */
  static int deadPort() {
    try (ServerSocket unused = listening()) {
      return unused.getLocalPort();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static ServerSocket listening() {
    try {
      return new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private void accept(Script script) {
    try {
      while (true) {
        Socket socket = server.accept();
        sockets.add(socket);
        Thread.ofPlatform().daemon().start(() -> play(script, socket));
      }
    } catch (IOException _) {
      // The test is over.
    }
  }

  private void play(Script script, Socket socket) {
    try (socket) {
      script.play(this, socket);
    } catch (Exception _) {
      // The client went away, as many a test wants it to.
    }
  }

  /** Reads one request, head and body; false at the end of the connection. */
  boolean readRequest(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int read = in.read();
      if (read < 0) {
        return false;
      }
      head.append((char) read);
    }
    String text = head.toString();
    int length =
        text.lines()
            .filter(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:"))
            .map(line -> Integer.parseInt(line.substring(15).strip()))
            .findFirst()
            .orElse(0);
    requests.add(text + new String(in.readNBytes(length), StandardCharsets.UTF_8));
    return true;
  }

  static void send(Socket socket, String text) throws IOException {
    send(socket, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  static void send(Socket socket, byte[] bytes) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(bytes);
    out.flush();
  }

  int connections() {
    return sockets.size();
  }

  List<Socket> sockets() {
    return sockets;
  }

  int port() {
    return server.getLocalPort();
  }

  String url() {
    return "http://127.0.0.1:" + port() + "/notify";
  }

  URI uri() {
    return URI.create(url());
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
