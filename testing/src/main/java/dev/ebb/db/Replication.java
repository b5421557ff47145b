package dev.ebb.db;

import dev.ebb.db.PostgresPair.Side;

/** Whether the one server of a pair waits for the other, and whether that follows. */
public final class Replication {
  private final PostgresPair pair;

  public Replication(PostgresPair pair) {
    this.pair = pair;
  }

  /** From now on no commit on the primary is acknowledged before its standby has it. */
  public void makeSynchronous(Side primary) throws Exception {
    pair.execute(primary, "alter system set synchronous_standby_names = '*'");
    pair.execute(primary, "select pg_reload_conf()");
    Await.until(
        "the standby is synchronous",
        () -> pair.count(primary, "pg_stat_replication where sync_state = 'sync'") == 1);
    // It is the checkpointer that tells every session to wait, before its next checkpoint.
    pair.execute(primary, "checkpoint");
  }

  /** The standby follows no more, as when the network between the two is gone. */
  public void cut(Side standby) throws Exception {
    pair.execute(standby, "alter system set primary_conninfo = ''");
    pair.execute(standby, "select pg_reload_conf()");
    Await.until(
        "the standby follows no more",
        () -> pair.count(standby.other(), "pg_stat_replication") == 0);
  }
}
