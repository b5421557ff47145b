package dev.ebb.app.merchant;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A port that answers HTTP/1.1 on virtual threads. Unlike the JDK's server it can reset a
 * connection, and close its port and open it again.
 */
final class Listener implements AutoCloseable {
  private static final int READ_TIMEOUT_MILLIS = 60_000;
  private static final int BACKLOG = 1024;

  /** What answers a request. */
  @FunctionalInterface
  interface Responder {
    /** The answer; {@code null} to reset the connection. */
    @Nullable Answer answer(Request request) throws InterruptedException;
  }

  private final InetAddress address;
  private final Responder responder;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final int port;
  private @Nullable ServerSocket server;
  private @Nullable Thread accepting;

  /** Opens the port; 0 for any that is free. */
  Listener(InetAddress address, int port, Responder responder) throws IOException {
    this.address = address;
    this.responder = responder;
    this.port = open(port);
  }

  int port() {
    return port;
  }

  /** Opens the port again where it is closed. */
  synchronized void open() throws IOException {
    if (server == null) {
      open(port);
    }
  }

  private synchronized int open(int wanted) throws IOException {
    ServerSocket opened = new ServerSocket();
    try {
      opened.setReuseAddress(true);
      opened.bind(new InetSocketAddress(address, wanted), BACKLOG);
    } catch (IOException taken) {
      opened.close();
      throw taken;
    }
    server = opened;
    accepting = Thread.ofVirtual().name("merchant-accept").start(() -> accept(opened));
    return opened.getLocalPort();
  }

  /** Closes the port and every connection. */
  @Override
  public synchronized void close() {
    if (server != null) {
      quietly(server);
      server = null;
      awaitClosed();
    }
    connections.forEach(Listener::quietly);
  }

  /** The port is free once the thread that waits for connections on it has noticed. */
  private void awaitClosed() {
    try {
      if (accepting != null) {
        accepting.join(Duration.ofSeconds(5));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void accept(ServerSocket opened) {
    while (!opened.isClosed()) {
      try {
        Socket socket = opened.accept();
        connections.add(socket);
        Thread.ofVirtual().name("merchant").start(() -> serve(opened, socket));
      } catch (IOException failed) {
        // Closed, which ends the loop, or a client that was gone at once, which does not.
      }
    }
  }

  private void serve(ServerSocket opened, Socket socket) {
    try (socket) {
      socket.setSoTimeout(READ_TIMEOUT_MILLIS);
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      boolean more = true;
      while (more && !opened.isClosed()) {
        more = serveOne(in, socket);
      }
    } catch (IOException gone) {
      // The client went away, sent something other than HTTP, or the port was closed.
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      connections.remove(socket);
    }
  }

  private boolean serveOne(InputStream in, Socket socket) throws IOException, InterruptedException {
    Optional<Request> request = Request.read(in, () -> goOn(socket));
    if (request.isEmpty()) {
      return false;
    }
    Answer answer = responder.answer(request.get());
    if (answer == null) {
      reset(socket);
      return false;
    }
    answer.write(socket.getOutputStream());
    return !request.get().closes();
  }

  private static void goOn(Socket socket) throws IOException {
    socket
        .getOutputStream()
        .write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Closed with a linger of zero seconds, a connection ends in RST instead of FIN. */
  private static void reset(Socket socket) throws SocketException {
    socket.setSoLinger(true, 0);
  }

  private static void quietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception alreadyGone) {
      // Nothing is left to close.
    }
  }
}
