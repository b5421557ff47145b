package dev.ebb.ui.standing;

import dev.ebb.contract.Circuit;
import dev.ebb.contract.Limiter;
import dev.ebb.contract.Queue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What matters most of a queue; of several, the first of these. */
sealed interface Situation {
  /** From so many attempts on, their failures count. */
  int FEW = 20;

  double MANY_FAIL = 0.2;

  /** In so many minutes a queue starts something of what is due. */
  int LATELY = 5;

  record StartPaused() implements Situation {}

  record Paused(Queue.@Nullable Pause pause) implements Situation {}

  /** Jobs wait for its destination. */
  record Kept(Circuit circuit) implements Situation {}

  record Unserved(Serving why) implements Situation {}

  record Throttled(Limiter limiter) implements Situation {}

  record Stalled() implements Situation {}

  record Failing(double share) implements Situation {}

  record Full(int most) implements Situation {}

  record NoSlot() implements Situation {}

  record Limited(Limiter limiter) implements Situation {}

  /** Without a limit. */
  record Behind() implements Situation {}

  record KeepsUp() implements Situation {}

  /** None is due, and some would be. */
  record Held() implements Situation {}

  /** Some wait, and none is due. */
  record Later() implements Situation {}

  record Idle() implements Situation {}

  static Situation of(QueueReading reading) {
    Limiter limiter = reading.limiter();
    if (reading.startPaused()) {
      return new StartPaused();
    }
    if (reading.queue().paused()) {
      return new Paused(reading.queue().pause());
    }
    if (reading.serving().isNone()) {
      return new Unserved(reading.serving());
    }
    Circuit circuit = reading.circuit();
    if (circuit != null && circuit.isTroubled()) {
      return new Kept(circuit);
    }
    if (limiter != null && limiter.isCut()) {
      return new Throttled(limiter);
    }
    return isFailing(reading.pace())
        ? new Failing((double) reading.pace().failures() / reading.pace().attempts())
        : reading.due() > 0 ? waiting(reading) : resting(reading);
  }

  private static Situation waiting(QueueReading reading) {
    Integer most = reading.queue().maxConcurrency();
    if (most != null && reading.isFull()) {
      return new Full(most);
    }
    if (reading.serving() == Serving.FULL && reading.isLate(QueueReading.MOMENTS)) {
      return new NoSlot();
    }
    if (isStalled(reading)) {
      return new Stalled();
    }
    return reading.limiter() == null ? new Behind() : new Limited(reading.limiter());
  }

  private static Situation resting(QueueReading reading) {
    if (reading.inFlight() > 0) {
      return new KeepsUp();
    }
    return reading.heldJobs() > 0 ? new Held() : reading.later() > 0 ? new Later() : new Idle();
  }

  private static boolean isFailing(QueuePace pace) {
    return pace.attempts() >= FEW && pace.failures() > MANY_FAIL * pace.attempts();
  }

  /** Nothing was started while jobs were due; a slow limit is no stall, nor are late counts. */
  private static boolean isStalled(QueueReading reading) {
    Limiter limiter = reading.limiter();
    Duration lately = Duration.ofMinutes(LATELY);
    boolean lets = limiter == null || limiter.currentRate() * lately.toSeconds() > FEW;
    boolean known = !reading.pace().asOf().isBefore(reading.now().minus(Duration.ofMinutes(1)));
    return lets
        && known
        && reading.inFlight() == 0
        && reading.isLate(lately)
        && reading.pace().now().of(LATELY, "started") == 0;
  }
}
