package dev.ebb.bench;

import dev.ebb.db.Proof;

@Proof
class JobRunrContenderTest extends PeerTest {

  @Override
  Contender peer(Target target) {
    return new JobRunrContender(target);
  }
}
