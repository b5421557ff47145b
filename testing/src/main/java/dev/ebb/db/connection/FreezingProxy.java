package dev.ebb.db.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Stands between a client and the server, and can stop reading what the server says: to the server
 * its client is then one that froze.
 */
public final class FreezingProxy implements AutoCloseable {
  private final ServerSocket listener;
  private final int port;
  private final List<Socket> sockets = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean frozen;

  public FreezingProxy(int port) throws IOException {
    this.port = port;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  public void freeze() {
    frozen = true;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = keep(listener.accept());
        Socket server = keep(connect());
        Thread.ofVirtual().start(() -> pass(client, server));
        Thread.ofVirtual().start(() -> passUnlessFrozen(server, client));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  /** Data that a frozen client does not read must wait at the server, not in a buffer here. */
  private Socket connect() throws IOException {
    Socket server = new Socket();
    server.setReceiveBufferSize(16_384);
    server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return server;
  }

  private Socket keep(Socket socket) {
    sockets.add(socket);
    return socket;
  }

  private void pass(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
      if (frozen) {
        closed.await();
      }
    } catch (IOException | InterruptedException e) {
      // The other side is gone.
    }
  }

  private void passUnlessFrozen(Socket from, Socket to) {
    byte[] buffer = new byte[8192];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (frozen) {
          closed.await();
        }
        out.write(buffer, 0, read);
      }
      to.close();
    } catch (IOException | InterruptedException e) {
      // The other side is gone.
    }
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    listener.close();
    for (Socket socket : List.copyOf(sockets)) {
      socket.close();
    }
  }
}
