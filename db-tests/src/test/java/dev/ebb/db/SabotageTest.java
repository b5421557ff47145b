package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The controls that run elsewhere, and seldom, take out a guard that must be found. */
class SabotageTest {
  private static void assertRewritten(List<String> command, int classes) {
    String classPath = command.get(command.indexOf("-cp") + 1);
    assertThat(classPath.split("ebb-sabotage", -1)).hasSize(classes + 1);
  }

  @Test
  void every_guard_that_a_control_takes_out_is_there() {
    assertRewritten(Sabotage.javaWithoutFence(SabotageTest.class), 3);
    assertRewritten(Sabotage.javaWithoutQueueLock(SabotageTest.class), 2);
    assertRewritten(Sabotage.javaWithoutTurn(SabotageTest.class), 1);
    assertRewritten(Sabotage.javaWithLooseTally(SabotageTest.class), 1);
  }
}
