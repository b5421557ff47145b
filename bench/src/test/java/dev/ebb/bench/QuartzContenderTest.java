package dev.ebb.bench;

import dev.ebb.db.Proof;

@Proof
class QuartzContenderTest extends PeerTest {

  @Override
  Contender peer(Target target) {
    return new QuartzContender(target);
  }
}
