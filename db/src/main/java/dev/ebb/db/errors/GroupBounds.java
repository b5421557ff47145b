package dev.ebb.db.errors;

/**
 * How many groups there may be.
 *
 * @param groups in all; beyond it, what is new goes into one for all of its queue and kind
 * @param subjects of one cause that have dead letters in a group each; the others share one
 */
record GroupBounds(int groups, int subjects) {
  static final GroupBounds DEFAULT = new GroupBounds(10_000, 200);
}
