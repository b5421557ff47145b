package dev.ebb.core.operation;

import dev.ebb.core.query.Phase;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What an operation does to each of its jobs. */
public enum OperationAction {
  /** Lets a job run now that waits for its time. */
  RETRY,
  /** Takes an available job out, or asks a running one to stop. */
  CANCEL,
  /** Makes a dead letter available, with a fresh budget of attempts unless it is to keep them. */
  REDRIVE,
  /** Cancels a dead letter. */
  DISCARD,
  /** Has an available job run at another time. */
  RESCHEDULE,
  /** Keeps an available job from being claimed. */
  HOLD,
  /** Has an available job run before or after others that are due. */
  SET_PRIORITY;

  /** The phases of the jobs that it can be done to. */
  public Set<Phase> phases() {
    return switch (this) {
      case RETRY -> EnumSet.of(Phase.SCHEDULED, Phase.RETRYING);
      case CANCEL -> EnumSet.range(Phase.DUE, Phase.RUNNING);
      case REDRIVE, DISCARD -> EnumSet.of(Phase.DEAD_LETTER);
      case RESCHEDULE, HOLD, SET_PRIORITY -> EnumSet.range(Phase.DUE, Phase.RETRYING);
    };
  }

  /** Whether the jobs' next attempt tells if it was right. */
  public boolean startsAttempts() {
    return this == RETRY || this == REDRIVE;
  }

  /** Whether the attempts of its jobs count from 0 again, unless a plan says otherwise. */
  public boolean resetsAttempts() {
    return this == REDRIVE;
  }

  /** The name in bodies, answers and SQL. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The action of that name. */
  public static Optional<OperationAction> of(String word) {
    return Arrays.stream(values()).filter(action -> action.word().equals(word)).findFirst();
  }

  /** All names. */
  public static List<String> words() {
    return Arrays.stream(values()).map(OperationAction::word).toList();
  }
}
