package dev.ebb.db.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Stands between clients and a server, of which it can be told another one; and cuts the first
 * connections that send a text.
 */
public final class CuttingProxy implements AutoCloseable {
  private final ServerSocket listener;
  private final String text;
  private final AtomicInteger cutsLeft;
  private final BooleanSupplier cuts;
  private volatile int port;

  /** Passes everything on. */
  CuttingProxy(int port) throws IOException {
    this(port, "", 0);
  }

  /** Cuts so many of the connections on which one side sends the text, which does not arrive. */
  public CuttingProxy(int port, String text, int cuts) throws IOException {
    this.port = port;
    this.text = text;
    this.cutsLeft = new AtomicInteger(cuts);
    this.cuts = () -> cutsLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    this.listener = listen();
  }

  /** Cuts a connection on which one side sends the text, if it is told so then. */
  public CuttingProxy(int port, String text, BooleanSupplier cuts) throws IOException {
    this.port = port;
    this.text = text;
    this.cutsLeft = new AtomicInteger();
    this.cuts = cuts;
    this.listener = listen();
  }

  private ServerSocket listen() throws IOException {
    ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(() -> accept(socket));
    return socket;
  }

  /** The same database through this proxy. */
  public DatabaseConfig through(DatabaseConfig config) {
    return config.withUrl(config.url().replaceFirst(":\\d+/", ":" + listener.getLocalPort() + "/"));
  }

  /** Leads later connections to another server; those that stand stay where they are. */
  void leadTo(int other) {
    port = other;
  }

  /** How many connections it will still cut. */
  public int cutsLeft() {
    return cutsLeft.get();
  }

  private void accept(ServerSocket socket) {
    try {
      while (true) {
        Socket client = socket.accept();
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
    return !text.isEmpty() && sent.contains(text) && cuts.getAsBoolean();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
