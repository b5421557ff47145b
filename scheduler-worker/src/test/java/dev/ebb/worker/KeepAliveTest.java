package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.JobState;
import dev.ebb.db.Sabotage;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeepAliveTest {
  private static final long PATIENCE_SECONDS = 60;

  private WorkerBench bench;
  private Process program;

  @BeforeEach
  void start() throws IOException {
    bench = new WorkerBench();
    program =
        new ProcessBuilder(Sabotage.java(PlainProgram.class, bench.config.url()))
            .redirectErrorStream(true)
            .start();
  }

  @AfterEach
  void end() {
    program.destroyForcibly();
    bench.close();
  }

  @Test
  void a_program_that_only_starts_a_worker_lives_until_the_worker_is_closed() throws Exception {
    awaitLine(PlainProgram.MAIN_ENDS);
    bench.awaitState(bench.submit("{}"), JobState.COMPLETED);

    program.getOutputStream().close();
    awaitLine(PlainProgram.CLOSED);
    assertThat(program.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(program.exitValue()).isZero();
  }

  @Test
  void a_shutdown_hook_drains_it() throws Exception {
    bench.awaitState(bench.submit("{}"), JobState.COMPLETED);

    program.toHandle().destroy();

    awaitLine(PlainProgram.CLOSED);
    assertThat(program.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  /** Among the lines of its log. */
  private void awaitLine(String line) {
    assertThat(program.inputReader().lines().anyMatch(line::equals)).isTrue();
  }
}
