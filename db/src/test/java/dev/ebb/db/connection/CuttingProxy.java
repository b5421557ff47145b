package dev.ebb.db.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between clients and a server, of which it can be told another one; and cuts the first
 * connections that send a text.
 */
final class CuttingProxy implements AutoCloseable {
  private final ServerSocket listener;
  private final String text;
  private final AtomicInteger cutsLeft;
  private volatile int port;

  /** Passes everything on. */
  CuttingProxy(int port) throws IOException {
    this(port, "", 0);
  }

  /** Cuts so many of the connections that send the text. */
  CuttingProxy(int port, String text, int cuts) throws IOException {
    this.port = port;
    this.text = text;
    this.cutsLeft = new AtomicInteger(cuts);
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** The same database through this proxy. */
  DatabaseConfig through(DatabaseConfig config) {
    return new DatabaseConfig(
        config.url().replaceFirst(":\\d+/", ":" + listener.getLocalPort() + "/"),
        config.user(),
        config.password(),
        config.poolSize(),
        config.pooler(),
        config.statementTimeout());
  }

  /** Leads later connections to another server; those that stand stay where they are. */
  void leadTo(int other) {
    port = other;
  }

  /** How many connections it will still cut. */
  int cutsLeft() {
    return cutsLeft.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        Thread.ofVirtual().start(() -> pass(client, server));
        Thread.ofVirtual().start(() -> pass(server, client));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void pass(Socket from, Socket to) {
    byte[] buffer = new byte[8192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (isCut(new String(buffer, 0, read, StandardCharsets.ISO_8859_1))) {
          return;
        }
        out.write(buffer, 0, read);
      }
    } catch (IOException e) {
      // One side is gone, and the other with it.
    }
  }

  private boolean isCut(String sent) {
    return !text.isEmpty()
        && sent.contains(text)
        && cutsLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
