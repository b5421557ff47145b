package dev.ebb.app.roles;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A plain TCP balancer: passes connections on to its servers by turns, and knows no HTTP. */
final class Balancer implements AutoCloseable {
  private final ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
  private final List<Integer> ports = new CopyOnWriteArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();

  Balancer() throws IOException {
    Thread.ofPlatform().daemon().start(this::accept);
  }

  void add(int port) {
    ports.add(port);
  }

  /** No new connection goes there; those that stand stay. */
  void remove(int port) {
    ports.removeIf(other -> other == port);
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort() + path);
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Thread.ofVirtual().start(() -> connect(client));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  /** To the next server that takes the connection. */
  private void connect(Socket client) {
    for (int tries = 0; tries < 4; tries++) {
      int port = ports.get(Math.floorMod(turn.getAndIncrement(), ports.size()));
      try {
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        Thread.ofVirtual().start(() -> pass(client, server));
        pass(server, client);
        return;
      } catch (IOException refused) {
        // The next one.
      }
    }
    close(client);
  }

  private static void pass(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One side is gone, and the other with it.
    }
  }

  private static void close(Socket client) {
    try {
      client.close();
    } catch (IOException e) {
      // Closed.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
