package dev.ebb.bench;

class DbSchedulerContenderTest extends PeerTest {

  @Override
  Contender peer(Target target) {
    return new DbSchedulerContender(target);
  }
}
