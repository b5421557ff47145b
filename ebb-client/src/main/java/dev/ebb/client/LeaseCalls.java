package dev.ebb.client;

import dev.ebb.contract.Lease;
import dev.ebb.contract.LeaseRenewal;
import dev.ebb.contract.LeaseSettlement;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a worker asks the server for, once each: what is lost is the caller's to repeat. */
final class LeaseCalls {
  /** Of a poll, beyond the time for which the server lets it wait. */
  private static final Duration ON_THE_WAY = Duration.ofSeconds(10);

  private final Transport transport;
  private final String worker;
  private final Duration timeout;

  /**
   * @param timeout of what must not use up a lease
   */
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
   * @param since from when on there is the lease, by the monotonic clock
   */
  record Polled(@Nullable Lease lease, String held, long since) {}

  /** The lease begins before its answer ends, so that a rest that stalls must not use it up. */
  Polled poll(String body, Duration wait) throws IOException, InterruptedException {
    Answer answer = send("/v1/leases", body, new Patience(wait.plus(ON_THE_WAY), timeout));
    return answer.status() == 204
        ? new Polled(null, answer.header("Ebb-Held"), answer.since())
        : new Polled(answer.read(Contract::lease), "", answer.since());
  }

  /** Of up to 100 leases. */
  LeaseRenewal renew(List<String> leases, News news) throws IOException, InterruptedException {
    JsonWriter body = new JsonWriter().put("worker", worker).put("leases", leases);
    if (!news.isEmpty()) {
      body.putJson("progress", news.json());
    }
    return send("/v1/leases/renew", body.end(), Patience.of(timeout)).read(Contract::renewal);
  }

  /** Of results as the protocol has them. */
  LeaseSettlement settle(List<String> results) throws IOException, InterruptedException {
    String list = "[" + String.join(",", results) + "]";
    String body = new JsonWriter().put("worker", worker).putJson("results", list).end();
    return send("/v1/leases/settle", body, Patience.of(timeout)).read(Contract::settlement);
  }

  void stop() throws IOException, InterruptedException {
    String body = new JsonWriter().put("worker", worker).end();
    send("/v1/leases/stop", body, Patience.of(timeout));
  }

  private Answer send(String path, String body, Patience most)
      throws IOException, InterruptedException {
    Answer answer = transport.post(path, body, most, Map.of());
    if (!answer.isGood()) {
      throw answer.refusal();
    }
    return answer;
  }
}
