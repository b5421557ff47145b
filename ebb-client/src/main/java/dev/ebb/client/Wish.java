package dev.ebb.client;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * What a worker polls for.
 *
 * @param slots how many jobs run at a time
 * @param patience for how long a poll may wait for jobs
 */
record Wish(
    String worker,
    List<String> queues,
    List<String> kinds,
    int slots,
    Duration lease,
    Duration patience) {
  private static final String CLIENT = "ebb-java/" + version();

  private static String version() {
    String version = Wish.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }

  /** The body of a poll, for so many jobs. */
  String body(int room) {
    return new JsonWriter()
        .put("requestId", UUID.randomUUID())
        .put("max", room)
        .put("worker", worker)
        .put("client", CLIENT)
        .put("queues", queues)
        .put("kinds", kinds)
        .put("slots", slots)
        .put("lease", lease)
        .put("wait", patience)
        .end();
  }
}
