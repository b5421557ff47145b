package dev.ebb.app.roles;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A receiver of deliveries, which remembers each; those to {@code /slow} end when it is told. */
final class Receiver implements AutoCloseable {
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final CountDownLatch slow = new CountDownLatch(1);
  private final HttpServer server;

  Receiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  /** A delivery as it came. */
  record Call(
      String path,
      String job,
      String webhookId,
      String time,
      String sign,
      String key,
      String trace,
      String body) {
    /** Whether it is signed as Standard Webhooks says, by the secret as an answer shows it. */
    boolean isSignedBy(String secret) {
      try {
        Mac mac = Mac.getInstance("HmacSHA256");
        byte[] bytes = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        mac.init(new SecretKeySpec(bytes, "HmacSHA256"));
        byte[] signed = mac.doFinal((webhookId + "." + time + "." + body).getBytes(UTF_8));
        return sign.equals("v1," + Base64.getEncoder().encodeToString(signed));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    String path = exchange.getRequestURI().getPath();
    calls.add(
        new Call(
            path,
            header(exchange, "ebb-job"),
            header(exchange, "webhook-id"),
            header(exchange, "webhook-timestamp"),
            header(exchange, "webhook-signature"),
            header(exchange, "x-api-key"),
            header(exchange, "traceparent"),
            body));
    try (exchange) {
      if (path.equals("/slow")) {
        slow.await();
      }
      exchange.sendResponseHeaders(204, -1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String header(HttpExchange exchange, String name) {
    return Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst(name), "");
  }

  String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  List<Call> calls() {
    return List.copyOf(calls);
  }

  void answerSlowOnes() {
    slow.countDown();
  }

  @Override
  public void close() {
    answerSlowOnes();
    server.stop(0);
  }
}
