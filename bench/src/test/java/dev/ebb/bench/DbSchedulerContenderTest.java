package dev.ebb.bench;

import dev.ebb.db.Proof;

@Proof
class DbSchedulerContenderTest extends PeerTest {

  @Override
  Contender peer(Target target) {
    return new DbSchedulerContender(target);
  }
}
