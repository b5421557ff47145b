package dev.ebb.bench.contender;

import java.sql.SQLException;

/** A contender whose claims can be made one by one, without a node, so that each can be timed. */
public interface DirectClaims {

  /** Claims at most this many jobs of a queue, and answers how many it got. */
  int claim(int queue, int most) throws SQLException;

  /** Completes the jobs of the last claim. */
  void settle() throws SQLException;
}
