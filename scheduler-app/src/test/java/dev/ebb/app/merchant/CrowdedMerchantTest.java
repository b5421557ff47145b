package dev.ebb.app.merchant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.app.Ebb;
import dev.ebb.db.TestPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A merchant in a process of its own: the JDK's server reads its settings once in each. */
class CrowdedMerchantTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** More than a worker opens to one host, which is half of its 500 slots. */
  private static final int CONNECTIONS = 300;

  private static final byte[] DELIVERY =
      "POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 2\r\n\r\n{}"
          .getBytes(StandardCharsets.US_ASCII);

  private final List<Socket> sockets = new ArrayList<>();
  private final int port = TestPostgres.freePort();
  private final Process merchant;

  CrowdedMerchantTest() throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    ProcessBuilder command =
        new ProcessBuilder(
                java.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Ebb.class.getName(),
                "merchant")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    command.environment().put("EBB_MERCHANT_PORT", Integer.toString(port));
    this.merchant = command.start();
  }

  @AfterEach
  void stop() throws Exception {
    for (Socket socket : sockets) {
      socket.close();
    }
    merchant.destroyForcibly().waitFor();
  }

  @Test
  void a_connection_that_was_answered_on_takes_the_next_delivery_however_many_there_are()
      throws Exception {
    sockets.add(connectOnceItListens());
    while (sockets.size() < CONNECTIONS) {
      sockets.add(connect());
    }
    for (int delivery = 1; delivery <= 2; delivery++) {
      for (Socket socket : sockets) {
        assertThat(deliver(socket)).as("delivery %s", delivery).startsWith("HTTP/1.1 200 ");
      }
    }
  }

  private Socket connectOnceItListens() throws IOException {
    for (long end = System.nanoTime() + PATIENCE.toNanos(); System.nanoTime() < end; ) {
      try {
        return connect();
      } catch (ConnectException notYet) {
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
    }
    throw new AssertionError("the merchant does not listen");
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    return socket;
  }

  private static String deliver(Socket socket) throws IOException {
    socket.getOutputStream().write(DELIVERY);
    BufferedReader answer =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    String status = String.valueOf(answer.readLine());
    int length = 0;
    for (String line = answer.readLine(); line != null && !line.isEmpty(); ) {
      if (line.startsWith("Content-length: ")) {
        length = Integer.parseInt(line.substring("Content-length: ".length()));
      }
      line = answer.readLine();
    }
    assertThat(answer.skip(length)).isEqualTo(length);
    return status;
  }
}
