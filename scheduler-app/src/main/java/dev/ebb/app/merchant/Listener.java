package dev.ebb.app.merchant;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A port that answers HTTP on virtual threads, and can be closed and opened again. */
final class Listener implements AutoCloseable {
  private static final int BACKLOG = 1024;

  static {
    // By itself the JDK's server keeps 200 idle connections, closes others right after an answer,
    // and waits for ever for the rest of a request. It reads these once.
    System.setProperty("sun.net.httpserver.maxIdleConnections", "100000");
    System.setProperty("sun.net.httpserver.maxReqTime", "60");
  }

  /** Answers requests. */
  @FunctionalInterface
  interface Responder {
    /** The answer; an exception closes the connection without one. */
    Answer answer(HttpExchange request) throws IOException;
  }

  private final Responder responder;
  private InetSocketAddress address;
  private @Nullable HttpServer server;

  /** Opens the port; 0 for any that is free. */
  Listener(InetSocketAddress address, Responder responder) throws IOException {
    this.address = address;
    this.responder = responder;
    open();
  }

  synchronized int port() {
    return address.getPort();
  }

  /** Opens the port where it is closed. */
  synchronized void open() throws IOException {
    if (server == null) {
      server = HttpServer.create(address, BACKLOG, "/", this::serve);
      server.setExecutor(Thread::startVirtualThread);
      server.start();
      address = server.getAddress();
    }
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      responder.answer(exchange).send(exchange);
    }
  }

  /** Closes the port and every connection. */
  @Override
  public synchronized void close() {
    if (server != null) {
      server.stop(0);
      server = null;
    }
  }
}
