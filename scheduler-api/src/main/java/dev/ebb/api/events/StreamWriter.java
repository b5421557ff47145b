package dev.ebb.api.events;

import dev.ebb.core.Durations;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;

/** Writes a stream to its client, until its time is over, its token dies or the server stops. */
final class StreamWriter {
  /** How often the token is looked at; others keep it for so long again. */
  private static final Duration CHECK = Duration.ofSeconds(2);

  /** While nobody knows whether the token is live. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

  /** From when on a client is told that its view is old. */
  private static final Duration LAG = Duration.ofSeconds(5);

  private static final String BEGIN = "retry: 3000\n\n";
  private static final String HEARTBEAT = ":\n\n";

  private final EventStream stream;
  private final StreamRules rules;
  private final Token token;
  private final Supplier<Duration> age;
  private long wroteNanos;

  /** Whether the caller's token is live. */
  @FunctionalInterface
  interface Token {
    boolean isLive() throws SQLException;
  }

  private enum StreamState {
    LIVE,
    DEAD,
    /** The database is away: nothing may be told. */
    UNKNOWN
  }

  /**
   * @param age of what the stream has been told
   */
  StreamWriter(EventStream stream, StreamRules rules, Token token, Supplier<Duration> age) {
    this.stream = stream;
    this.rules = rules;
    this.token = token;
    this.age = age;
  }

  void write(OutputStream out, Duration length) throws IOException, InterruptedException {
    send(out, BEGIN);
    long end = System.nanoTime() + length.toNanos();
    long burstNanos = System.nanoTime() - rules.burst().toNanos();
    while (stream.isOpen() && end - System.nanoTime() > 0) {
      boolean some = stream.await(shortest(CHECK, untilHeartbeat(), left(end)));
      if (some) {
        stream.awaitClose(left(burstNanos + rules.burst().toNanos()));
      }
      StreamState standing = standing();
      if (standing == StreamState.DEAD) {
        return;
      }
      if (some && standing == StreamState.LIVE) {
        burstNanos = System.nanoTime();
        send(out, stream.take());
      } else if (!untilHeartbeat().isPositive()) {
        send(out, heartbeat(standing));
      } else if (some) {
        stream.awaitClose(LOOK_AGAIN);
      }
    }
  }

  /** With the place up to which nothing else was to be told. */
  private String heartbeat(StreamState standing) {
    String lag = age.get().compareTo(LAG) > 0 ? Outbox.lag(age.get()) : "";
    return lag + HEARTBEAT + (standing == StreamState.LIVE ? stream.take() : "");
  }

  private StreamState standing() {
    try {
      return token.isLive() ? StreamState.LIVE : StreamState.DEAD;
    } catch (SQLException databaseIsAway) {
      return StreamState.UNKNOWN;
    }
  }

  private void send(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
    wroteNanos = System.nanoTime();
  }

  private Duration untilHeartbeat() {
    return left(wroteNanos + rules.heartbeat().toNanos());
  }

  private static Duration left(long untilNanos) {
    return Duration.ofNanos(Math.max(0, untilNanos - System.nanoTime()));
  }

  private static Duration shortest(Duration one, Duration other, Duration third) {
    return Durations.min(Durations.min(one, other), third);
  }
}
