package dev.ebb.client;

import dev.ebb.contract.Lease;
import dev.ebb.contract.LeaseRenewal;
import dev.ebb.contract.LeaseSettlement;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a worker asks the server for, once each: what is lost is the caller's to repeat. */
final class LeaseCalls {
  /** Of a poll, beyond the time for which the server lets it wait. */
  private static final Duration ON_THE_WAY = Duration.ofSeconds(10);

  private final Transport transport;
  private final String worker;
  private final Duration timeout;

  LeaseCalls(Transport transport, String worker, Duration timeout) {
    this.transport = transport;
    this.worker = worker;
    this.timeout = timeout;
  }

  /**
   * What a poll came to.
   *
   * @param lease {@code null} for nothing
   * @param held what kept jobs from it, in the server's word; empty if none was due
   */
  record Polled(@Nullable Lease lease, String held) {}

  Polled poll(String body, Duration wait) throws IOException, InterruptedException {
    Answer answer = send("/v1/leases", body, wait.plus(ON_THE_WAY));
    return answer.status() == 204
        ? new Polled(null, answer.header("Ebb-Held"))
        : new Polled(read(answer, Contract::lease), "");
  }

  /** Of up to 100 leases. */
  LeaseRenewal renew(List<String> leases, News news) throws IOException, InterruptedException {
    JsonWriter body = new JsonWriter().put("worker", worker).put("leases", leases);
    if (!news.isEmpty()) {
      body.putJson("progress", news.json());
    }
    return read(send("/v1/leases/renew", body.end(), timeout), Contract::renewal);
  }

  /** Of results as the protocol has them. */
  LeaseSettlement settle(List<String> results) throws IOException, InterruptedException {
    String list = "[" + String.join(",", results) + "]";
    String body = new JsonWriter().put("worker", worker).putJson("results", list).end();
    return read(send("/v1/leases/settle", body, timeout), Contract::settlement);
  }

  void stop() throws IOException, InterruptedException {
    String body = new JsonWriter().put("worker", worker).end();
    send("/v1/leases/stop", body, timeout);
  }

  private Answer send(String path, String body, Duration most)
      throws IOException, InterruptedException {
    Answer answer = transport.post(path, body, most, Map.of());
    if (!answer.isGood()) {
      throw answer.refusal();
    }
    return answer;
  }

  /** An answer that cannot be read is as good as lost. */
  private static <T> T read(Answer answer, Function<Json, T> reader) throws IOException {
    try {
      return reader.apply(answer.json());
    } catch (RuntimeException unreadable) {
      throw new IOException("an answer cannot be read", unreadable);
    }
  }
}
