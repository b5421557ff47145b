package dev.ebb.db.action;

import dev.ebb.core.operation.JobAction;
import dev.ebb.core.query.Phase;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Where a job is for an action: the reason why it is skipped, unless it fits. */
public enum JobPlace {
  AVAILABLE,
  HELD,
  /** It waits for another of its ordering key. */
  BLOCKED,
  RUNNING,
  DEAD_LETTER,
  /** A dead letter that cannot run again. */
  PAYLOAD_ERASED,
  /** A dead letter whose unique key a live job has. */
  UNIQUE_KEY_TAKEN,
  CANCELLED,
  COMPLETED,
  NOT_FOUND;

  /** The place of that name. */
  static JobPlace of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** The name in reports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether the action takes a job there: if it did not, somebody had the job locked. */
  public boolean fits(JobAction action) {
    boolean staysDead = this == PAYLOAD_ERASED || this == UNIQUE_KEY_TAKEN;
    return !Collections.disjoint(phases(), action.phases())
        && !(staysDead && action instanceof JobAction.Redrive);
  }

  private Set<Phase> phases() {
    return switch (this) {
      case AVAILABLE -> EnumSet.of(Phase.DUE, Phase.SCHEDULED, Phase.RETRYING);
      case HELD -> EnumSet.of(Phase.HELD);
      case BLOCKED -> EnumSet.of(Phase.BLOCKED);
      case RUNNING -> EnumSet.of(Phase.RUNNING);
      case DEAD_LETTER, PAYLOAD_ERASED, UNIQUE_KEY_TAKEN -> EnumSet.of(Phase.DEAD_LETTER);
      case CANCELLED -> EnumSet.of(Phase.CANCELLED);
      case COMPLETED -> EnumSet.of(Phase.COMPLETED);
      case NOT_FOUND -> EnumSet.noneOf(Phase.class);
    };
  }

  /** The result of an action on a job there that it does not fit. */
  ActionResult result(JobAction action) {
    if (action instanceof JobAction.Redrive && this == PAYLOAD_ERASED) {
      return ActionResult.PAYLOAD_ERASED;
    }
    if (action instanceof JobAction.Redrive && this == UNIQUE_KEY_TAKEN) {
      return ActionResult.UNIQUE_KEY_TAKEN;
    }
    // A sender that got no answer may ask again.
    if (action instanceof JobAction.Cancel && this == CANCELLED) {
      return ActionResult.DONE;
    }
    return this == NOT_FOUND ? ActionResult.NOT_FOUND : ActionResult.WRONG_STATE;
  }
}
