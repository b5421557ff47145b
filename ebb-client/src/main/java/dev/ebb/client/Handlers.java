package dev.ebb.client;

import dev.ebb.contract.Lease;
import dev.ebb.contract.LeasedJob;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The kinds that a worker runs, each with its handler. */
final class Handlers {
  private record Served<T>(JobKind<T> kind, Handler<T> handler) {
    Attempt<T> attempt(Lease lease, LeasedJob job, EbbJson json) {
      return new Attempt<>(lease, job, () -> kind.decode(json, job.payload()), handler);
    }
  }

  private final EbbJson json;
  private final Map<String, Served<?>> kinds = new LinkedHashMap<>();

  Handlers(EbbJson json) {
    this.json = json;
  }

  <T> void add(JobKind<T> kind, Handler<T> handler) {
    kind.requireReadable(json);
    if (kinds.put(kind.name(), new Served<>(kind, handler)) != null) {
      throw new IllegalArgumentException("two handlers of the kind " + kind.name());
    }
  }

  /** With what is there by now. */
  Handlers copy() {
    Handlers copy = new Handlers(json);
    copy.kinds.putAll(kinds);
    return copy;
  }

  Set<String> kinds() {
    return kinds.keySet();
  }

  /** The run of a job that was leased. */
  Attempt<?> attempt(Lease lease, LeasedJob job) {
    Served<?> served = kinds.get(job.kind());
    if (served == null) {
      throw new IllegalStateException("nobody asked for the kind " + job.kind());
    }
    return served.attempt(lease, job, json);
  }
}
