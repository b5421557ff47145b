package dev.ebb.bench.contender;

import dev.ebb.bench.machine.Target;
import dev.ebb.db.Proof;

@Proof
class JobRunrContenderTest extends PeerTest {

  @Override
  Contender peer(Target target) {
    return new JobRunrContender(target);
  }
}
