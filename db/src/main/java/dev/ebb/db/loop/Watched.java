package dev.ebb.db.loop;

/** What {@link LoopWatch} looks at now and then. */
interface Watched {
  /** Says so, once for each turn, if it hangs. */
  void look();
}
