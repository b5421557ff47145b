package dev.ebb.db.errors;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The room that is left for new groups.
 *
 * <pre>
 *   a cause and a subject ──▶ other subjects of the cause ──▶ other failures of its queue and kind
 * </pre>
 */
final class GroupRoom {
  /** Of so many groups in all, subjects make no more than this share: new causes need room too. */
  private static final double SUBJECTS_SHARE = 0.8;

  private final GroupBounds bounds;
  private final Set<UUID> known;
  private final Map<Group.Cause, Long> subjects;
  private long groups;

  /**
   * The room beside what is there.
   *
   * @param known the groups that are there already, of those that may be asked for
   * @param subjects how many groups with a subject and with dead letters a cause has
   * @param groups how many there are in all
   */
  GroupRoom(GroupBounds bounds, Set<UUID> known, Map<Group.Cause, Long> subjects, long groups) {
    this.bounds = bounds;
    this.known = new HashSet<>(known);
    this.subjects = new HashMap<>(subjects);
    this.groups = groups;
  }

  /**
   * The group itself where it is there, or there is room for it; otherwise one for what is left.
   */
  Group place(Group wanted) {
    if (known.contains(wanted.id())) {
      return wanted;
    }
    if (wanted.subject() != null) {
      return hasRoom(wanted.cause()) ? addedSubject(wanted) : place(wanted.otherSubjects());
    }
    return groups < bounds.groups() ? added(wanted) : wanted.otherFailures();
  }

  private boolean hasRoom(Group.Cause cause) {
    return subjects.getOrDefault(cause, 0L) < bounds.subjects()
        && groups < SUBJECTS_SHARE * bounds.groups();
  }

  private Group addedSubject(Group group) {
    subjects.merge(group.cause(), 1L, Long::sum);
    return added(group);
  }

  private Group added(Group group) {
    known.add(group.id());
    groups++;
    return group;
  }
}
