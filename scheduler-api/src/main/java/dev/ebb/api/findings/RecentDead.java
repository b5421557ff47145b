package dev.ebb.api.findings;

import dev.ebb.core.health.Plain;
import dev.ebb.db.errors.DeadHour;
import java.util.Optional;

/** What died in the last hour: how many jobs, for how many reasons, and whose most of them are. */
final class RecentDead {
  private final DeadHour hour;

  RecentDead(DeadHour hour) {
    this.hour = hour;
  }

  /** The same in words; empty if nothing died. */
  Optional<String> sentence() {
    if (hour.dead() == 0) {
      return Optional.empty();
    }
    // Whose the others are is not known.
    String rest = hour.cut() ? "" : ", for " + reasons() + whose();
    return Optional.of(jobs() + " in the last hour" + rest + ".");
  }

  private String jobs() {
    return hour.dead() == 1
        ? "1 job became a dead letter"
        : (hour.cut() ? "At least " : "") + Plain.number(hour.dead()) + " jobs became dead letters";
  }

  private String reasons() {
    return hour.errors() == 1 ? "one reason" : Plain.number(hour.errors()) + " reasons";
  }

  /** The subject of at least half of them. */
  private String whose() {
    if (hour.subject() == null || 2 * hour.ofSubject() < hour.dead()) {
      return "";
    }
    if (hour.ofSubject() < hour.dead()) {
      return ", " + Plain.number(hour.ofSubject()) + " of them of " + hour.subject();
    }
    return (hour.dead() == 1 ? ", of " : ", all of ") + hour.subject();
  }
}
