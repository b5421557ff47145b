package dev.ebb.worker;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/** Merchants that do not answer as they should, each at an address of its own. */
final class BadMerchants implements AutoCloseable {
  private static final long GIBIBYTE = 1L << 30;
  private static final byte[] CHUNK = new byte[64 * 1024];

  private final ServerSocket server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** What one does, and where. */
  enum Kind {
    /** Takes the request and never answers. */
    TARPIT("127.3.0.1"),
    /** Answers with a body of a GiB. */
    GIBIBYTE("127.3.0.2"),
    /** Resets the connection once there is a request. */
    RESETS("127.3.0.3");

    private final String host;

    Kind(String host) {
      this.host = host;
    }

    static Kind at(String host) {
      return Stream.of(values()).filter(kind -> kind.host.equals(host)).findFirst().orElseThrow();
    }
  }

  private BadMerchants(ServerSocket server) {
    this.server = server;
  }

  static BadMerchants start() throws IOException {
    ServerSocket server = new ServerSocket();
    server.bind(new InetSocketAddress(0), 1024);
    BadMerchants merchants = new BadMerchants(server);
    merchants.threads.execute(merchants::accept);
    return merchants;
  }

  String url(Kind kind) {
    return "http://" + kind.host + ":" + server.getLocalPort() + "/";
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        threads.execute(() -> serve(socket));
      }
    } catch (IOException _) {
      // It is closed.
    }
  }

  private static void serve(Socket socket) {
    try (socket) {
      InputStream in = socket.getInputStream();
      int read = in.read(new byte[CHUNK.length]);
      switch (Kind.at(socket.getLocalAddress().getHostAddress())) {
        case TARPIT -> {
          while (read >= 0) {
            read = in.read();
          }
        }
        case GIBIBYTE -> pour(socket.getOutputStream());
        case RESETS -> socket.setSoLinger(true, 0);
      }
    } catch (IOException _) {
      // The client has had enough.
    }
  }

  private static void pour(OutputStream out) throws IOException {
    out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + GIBIBYTE + "\r\n\r\n").getBytes(US_ASCII));
    for (long sent = 0; sent < GIBIBYTE; sent += CHUNK.length) {
      out.write(CHUNK);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    threads.shutdownNow();
  }
}
