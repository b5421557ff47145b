package dev.ebb.bench.contender;

import dev.ebb.bench.machine.Target;
import dev.ebb.db.Proof;

@Proof
class QuartzContenderTest extends PeerTest {

  @Override
  Contender peer(Target target) {
    return new QuartzContender(target);
  }
}
