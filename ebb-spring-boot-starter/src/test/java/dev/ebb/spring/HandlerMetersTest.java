package dev.ebb.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.client.Outcome;
import dev.ebb.client.Run;
import dev.ebb.client.Stop;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class HandlerMetersTest {
  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final HandlerMeters meters = new HandlerMeters(registry);

  private double running() {
    return registry.get("ebb.jobs.running").gauge().value();
  }

  private long ended(String outcome) {
    return registry.get("ebb.job.attempts").tags("outcome", outcome).timer().count();
  }

  private void fails(Run<?> run) {
    assertThatThrownBy(() ->
            meters.around(
                run,
                () -> {
                  throw new IOException("away");
                }))
        .hasMessage("away");
  }

  @Test
  void runs_are_counted_by_how_they_ended_and_while_they_go_on() throws Exception {
    Outcome outcome =
        meters.around(
            TestRun.of("p"),
            () -> {
              assertThat(running()).isOne();
              return Outcome.fatal("gone", "");
            });
    fails(TestRun.of("p"));
    for (Stop stop : Stop.values()) {
      fails(new TestRun<>("p", stop));
    }

    meters.around(new TestRun<>("p", Stop.LOST), Outcome::completed);

    assertThat(outcome.word()).isEqualTo("fatal");
    assertThat(running()).isZero();
    assertThat(ended("fatal")).isOne();
    assertThat(ended("failed")).as("of its own, and by its timeout").isEqualTo(2);
    assertThat(ended("cancelled")).isOne();
    assertThat(ended("given_back")).isOne();
    assertThat(ended("lost")).as("whatever it came to").isEqualTo(2);
  }
}
