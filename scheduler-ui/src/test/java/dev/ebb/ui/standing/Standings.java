package dev.ebb.ui.standing;

import dev.ebb.contract.Circuit;
import dev.ebb.contract.CircuitRule;
import dev.ebb.contract.Forecast;
import dev.ebb.contract.Forecast.Overdue;
import dev.ebb.contract.JobCount;
import dev.ebb.contract.Limiter;
import dev.ebb.contract.Queue;
import dev.ebb.contract.QueueRunning;
import dev.ebb.contract.QueueStanding;
import dev.ebb.contract.QueueStanding.LastMinutes;
import dev.ebb.contract.Waiting.Part;
import dev.ebb.core.limit.RateLimit;
import dev.ebb.core.limit.WarmUpCurve;
import dev.ebb.core.limit.WarmUpLimiter;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A queue {@code q} at noon, which a test puts together. */
final class Standings {
  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private static final RateLimit LIMIT = RateLimit.of(20, Duration.ofMinutes(1), 4);

  private final Map<String, Long> counts = new HashMap<>();
  private Queue queue = Queue.unconfigured("q");
  private @Nullable Limiter limiter;
  private Serving serving = Serving.FREE;
  private @Nullable Duration oldest;
  private long due;
  private long later;
  private long held;
  private @Nullable String receiver;
  private long running;
  private boolean exact = true;
  private @Nullable Circuit circuit;
  private boolean startPaused;
  private int nextIn = -1;

  static Standings of() {
    return new Standings();
  }

  /** What was counted in the last five minutes. */
  Standings lately(String counter, long number) {
    counts.put(counter, number);
    return this;
  }

  /** Jobs that are due, of which the first has waited for so many seconds. */
  Standings due(long jobs, long seconds) {
    due = jobs;
    oldest = jobs == 0 ? null : Duration.ofSeconds(seconds);
    return this;
  }

  Standings estimated() {
    exact = false;
    return this;
  }

  /** Jobs that wait for later; the next becomes due in so many minutes, if within the hour. */
  Standings later(long jobs, int minutes) {
    later = jobs;
    nextIn = minutes;
    return this;
  }

  /** Jobs that are held, none of which is due within the hour. */
  Standings held(long jobs) {
    held = jobs;
    return this;
  }

  Standings throttledBy(String name) {
    receiver = name;
    return this;
  }

  /** A destination whose circuit is so, and holds for so many seconds; -1 for not. */
  Standings circuit(String state, boolean open, int heldSeconds) {
    CircuitRule rule =
        new CircuitRule(
            true,
            0.5,
            20,
            5,
            Duration.ofMinutes(1),
            Duration.ofSeconds(30),
            Duration.ofMinutes(15),
            Duration.ofDays(5),
            3);
    circuit =
        new Circuit(
            "q",
            state,
            NOON,
            open ? NOON.minusSeconds(60) : null,
            null,
            heldSeconds < 0 ? null : NOON.plusSeconds(heldSeconds),
            open ? "http_503" : null,
            open ? 1 : 0,
            0,
            0,
            0,
            List.of(),
            rule);
    return this;
  }

  Standings running(long jobs) {
    running = jobs;
    return this;
  }

  Standings serving(Serving nodes) {
    serving = nodes;
    return this;
  }

  Standings startPaused() {
    startPaused = true;
    return this;
  }

  Standings paused(Queue.@Nullable Pause pause) {
    return is(true, pause, queue.maxConcurrency());
  }

  Standings most(int jobs) {
    return is(queue.paused(), queue.pause(), jobs);
  }

  private Standings is(boolean paused, Queue.@Nullable Pause pause, @Nullable Integer most) {
    queue =
        new Queue("q", true, paused, pause, null, null, null, most, null, null, null, null, null);
    return this;
  }

  /** A limit of 20 a second, this long after it was cold, of which a cut leaves a share. */
  Standings limited(String phase, double seconds, double share) {
    double granted = WarmUpCurve.of(limiter(phase, 0, 20 / 4.0, 1)).permits(seconds);
    double rate = WarmUpCurve.of(limiter(phase, granted, 5, 1)).rate(seconds);
    limiter = limiter(phase, granted * share, rate * share, share);
    return this;
  }

  private static Limiter limiter(String phase, double granted, double rate, double share) {
    double max = 60 * 20 * share * (0.5 + 2 / 5.0);
    List<Limiter.Point> curve =
        new WarmUpLimiter(LIMIT)
            .curve(40).stream()
                .map(one ->
                    new Limiter.Point(one.after().toNanos() / 1e9, one.rate(), one.permits()))
                .toList();
    return new Limiter(
        phase,
        rate,
        20 * share,
        20,
        5 * share,
        Math.max(0, max - granted),
        max,
        NOON,
        share < 1 ? NOON.minusSeconds(90) : null,
        null,
        curve);
  }

  QueueReading read() {
    QueueStanding standing =
        new QueueStanding(
            "q",
            due + later + held + running,
            0,
            running,
            oldest,
            List.of(
                new LastMinutes(5, NOON.minusSeconds(300), counts),
                new LastMinutes(15, NOON.minusSeconds(900), counts)));
    return new QueueReading(
        queue,
        new QueuePace(standing, NOON),
        limiter,
        forecast(),
        new QueueRunning("q", NOON, true, running, List.of()),
        serving,
        "k",
        due > 0 ? null : new JobCount(held, Map.of("held", held), exact, exact, NOON),
        receiver,
        circuit,
        startPaused,
        NOON);
  }

  private Forecast forecast() {
    List<Forecast.Minute> minutes =
        nextIn < 0
            ? List.of()
            : List.of(
                new Forecast.Minute(NOON, 0, Map.of(), null),
                new Forecast.Minute(NOON.plusSeconds(60L * nextIn), 1, Map.of("1", 1L), null));
    return new Forecast(
        NOON, exact, "q", null, null, null, new Overdue(due, exact, Map.of("1", due)), minutes);
  }

  /** The sentence, with its instants as ISO 8601 has them. */
  String told() {
    return told(read());
  }

  static String told(QueueReading reading) {
    return QueueSentence.of(reading).stream().map(Standings::text).collect(Collectors.joining());
  }

  private static String text(Part part) {
    return part.text() + (part.at() == null ? "" : part.at());
  }
}
