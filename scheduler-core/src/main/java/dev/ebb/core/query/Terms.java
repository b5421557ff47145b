package dev.ebb.core.query;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Values that a text field of a job must match, and must not match; both may be empty.
 *
 * @param wanted in order
 * @param unwanted in order
 */
public record Terms(SortedSet<String> wanted, SortedSet<String> unwanted) {
  static final Terms NONE = new Terms(new TreeSet<>(), new TreeSet<>());

  public Terms {
    wanted = Collections.unmodifiableSortedSet(new TreeSet<>(wanted));
    unwanted = Collections.unmodifiableSortedSet(new TreeSet<>(unwanted));
  }

  boolean isEmpty() {
    return wanted.isEmpty() && unwanted.isEmpty();
  }

  Terms wanting(Collection<String> more) {
    return new Terms(joined(wanted, more), unwanted);
  }

  Terms unwanting(Collection<String> more) {
    return new Terms(wanted, joined(unwanted, more));
  }

  /** The same where a job has one value, and so must have one that both name. */
  Terms wantingOneOf(Collection<String> values) {
    TreeSet<String> both = new TreeSet<>(values);
    if (!wanted.isEmpty()) {
      both.retainAll(wanted);
    }
    return new Terms(both, unwanted);
  }

  private static SortedSet<String> joined(SortedSet<String> some, Collection<String> more) {
    SortedSet<String> joined = new TreeSet<>(some);
    joined.addAll(more);
    return joined;
  }
}
