package dev.ebb.bench.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RunsTest {

  @Test
  void a_job_fails_as_often_as_it_shall_and_every_run_counts() throws Exception {
    Runs runs = new Runs(3, 2);

    assertThatThrownBy(() -> runs.run(1)).isInstanceOf(Runs.Planned.class);
    assertThatThrownBy(() -> runs.run(1)).isInstanceOf(Runs.Planned.class);
    assertThat(runs.succeeded()).isZero();
    runs.run(1);

    assertThat(runs.succeeded()).isEqualTo(1);
    assertThat(runs.perNumber()).containsExactly(0, 3, 0);
  }
}
