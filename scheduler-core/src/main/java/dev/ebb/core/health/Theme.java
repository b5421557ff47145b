package dev.ebb.core.health;

import java.util.Locale;

/** What a finding is about. */
public enum Theme {
  /** What keeps dead rows from being removed. */
  SNAPSHOTS,
  /** What removes them. */
  VACUUM,
  /** Tables and their partitions. */
  STORAGE,
  /** What a crash or a failover may lose. */
  DURABILITY,
  /** What the nodes see of the server. */
  WORK;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
