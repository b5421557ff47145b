package dev.ebb.api.findings;

import dev.ebb.contract.ErrorGroup;
import dev.ebb.core.health.Plain;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What died in the last hour: how many jobs, for how many reasons, and whose most of them are. */
final class RecentDead {
  private static final String HOUR = "1h";

  private final List<ErrorGroup> groups;
  private final boolean exact;
  private final long dead;

  /**
   * Of these groups.
   *
   * @param complete whether there are no others
   */
  RecentDead(List<ErrorGroup> groups, boolean complete) {
    this.groups = groups.stream().filter(group -> group.count(HOUR) > 0).toList();
    this.exact = complete && groups.stream().allMatch(ErrorGroup::exact);
    this.dead = groups.stream().mapToLong(group -> group.count(HOUR)).sum();
  }

  /** The same in words; empty if nothing died. */
  Optional<String> sentence() {
    if (dead == 0) {
      return Optional.empty();
    }
    String jobs = dead == 1 ? "1 job became a dead letter" : number(dead) + " became dead letters";
    long reasons = groups.stream().map(RecentDead::reason).distinct().count();
    String why = reasons == 1 ? "one reason" : Plain.number(reasons) + " reasons";
    return Optional.of((exact ? "" : "~") + jobs + " in the last hour, for " + why + whose() + ".");
  }

  private static String number(long jobs) {
    return Plain.number(jobs) + " jobs";
  }

  private static List<String> reason(ErrorGroup group) {
    return List.of(group.queue(), group.kind(), group.errorReason(), group.pattern());
  }

  /** The subject of at least half of them. */
  private String whose() {
    Map<String, Long> bySubject = new TreeMap<>();
    for (ErrorGroup group : groups) {
      if (group.subject() != null) {
        bySubject.merge(group.subject(), group.count(HOUR), Long::sum);
      }
    }
    return bySubject.entrySet().stream()
        .filter(one -> 2 * one.getValue() >= dead)
        .findFirst()
        .map(one -> share(one.getValue()) + one.getKey())
        .orElse("");
  }

  private String share(long jobs) {
    if (jobs < dead) {
      return ", " + Plain.number(jobs) + " of them of ";
    }
    return dead == 1 ? ", of " : ", all of ";
  }
}
