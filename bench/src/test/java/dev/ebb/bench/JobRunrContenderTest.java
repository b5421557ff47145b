package dev.ebb.bench;

class JobRunrContenderTest extends PeerTest {

  @Override
  Contender peer(Target target) {
    return new JobRunrContender(target);
  }
}
