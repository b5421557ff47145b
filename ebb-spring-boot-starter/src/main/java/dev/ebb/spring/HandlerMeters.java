package dev.ebb.spring;

import dev.ebb.client.Outcome;
import dev.ebb.client.Run;
import dev.ebb.client.Stop;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Measures how long handlers take, and how many run, under the names that Ebb's workers have. */
final class HandlerMeters implements HandlerWatch {
  private final MeterRegistry registry;
  private final AtomicInteger running = new AtomicInteger();

  HandlerMeters(MeterRegistry registry) {
    this.registry = registry;
    Gauge.builder("ebb.jobs.running", running, AtomicInteger::get)
        .description("Jobs running in this process.")
        .register(registry);
  }

  @Override
  public Outcome around(Run<?> run, Callable<Outcome> handler) throws Exception {
    Timer.Sample sample = Timer.start(registry);
    running.incrementAndGet();
    try {
      Outcome outcome = handler.call();
      boolean isLost = run.why().filter(Stop.LOST::equals).isPresent();
      sample.stop(timer(run, isLost ? word(Stop.LOST) : outcome.word()));
      return outcome;
    } catch (Throwable thrown) {
      sample.stop(timer(run, broken(run)));
      throw thrown;
    } finally {
      running.decrementAndGet();
    }
  }

  /** What a run has come to that throws; of one that lost its lease, nothing is told. */
  private static String broken(Run<?> run) {
    return run.why().map(HandlerMeters::word).orElse("failed");
  }

  private static String word(Stop why) {
    return switch (why) {
      case CANCELLED -> "cancelled";
      case TIMEOUT -> "failed";
      case LOST -> "lost";
      case CLOSING -> "given_back";
    };
  }

  private Timer timer(Run<?> run, String outcome) {
    return Timer.builder("ebb.job.attempts")
        .description("Duration of attempts that ended in this process.")
        .tags("queue", run.queue(), "kind", run.kind(), "outcome", outcome)
        .register(registry);
  }

  /** Of applications with Micrometer. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  @ConditionalOnSingleCandidate(MeterRegistry.class)
  static class Configured {
    @Bean
    @ConditionalOnMissingBean
    HandlerWatch ebbHandlerMeters(MeterRegistry registry) {
      return new HandlerMeters(registry);
    }
  }
}
