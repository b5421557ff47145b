package dev.ebb.db;

/**
 * Wake-up hints: after a commit, at most one NOTIFY every few milliseconds, from a connection of
 * its own. Any hint may be lost; polling is the truth.
 */
public final class Hints implements AutoCloseable {
  public Hints(Database database) {}

  /** Says that the queue has work. Returns at once. */
  public void workArrived(String queue) {}

  /** Says that somebody asked a running job to stop. Returns at once. */
  public void cancelRequested() {}

  @Override
  public void close() {}
}
