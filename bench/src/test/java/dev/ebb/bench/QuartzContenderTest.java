package dev.ebb.bench;

class QuartzContenderTest extends PeerTest {

  @Override
  Contender peer(Target target) {
    return new QuartzContender(target);
  }
}
