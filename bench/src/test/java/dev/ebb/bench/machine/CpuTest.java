package dev.ebb.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CpuTest {

  @Test
  void work_of_this_process_is_seen_and_a_process_that_is_not_there_has_no_time() {
    long self = ProcessHandle.current().pid();
    long end = System.nanoTime() + 100_000_000;
    long before = Cpu.microsOf(ProcessHandle.current());
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }

    assertThat(Cpu.microsOf(ProcessHandle.current())).isGreaterThan(before);
    assertThat(Cpu.microsOfTree(self).orElse(1)).isPositive();
    assertThat(Cpu.microsOfTree(Long.MAX_VALUE)).isEmpty();
  }
}
