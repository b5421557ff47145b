package dev.ebb.bench.contender;

import dev.ebb.bench.machine.Target;
import dev.ebb.db.Proof;

@Proof
class DbSchedulerContenderTest extends PeerTest {

  @Override
  Contender peer(Target target) {
    return new DbSchedulerContender(target);
  }
}
