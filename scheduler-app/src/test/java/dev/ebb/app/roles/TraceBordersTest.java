package dev.ebb.app.roles;

import static dev.ebb.app.roles.SpanBench.CALLER;
import static dev.ebb.app.roles.SpanBench.TRACE;
import static dev.ebb.app.roles.SpanBench.links;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Outcome;
import dev.ebb.db.Await;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs where spans are not made, not kept, or not to be had. */
class TraceBordersTest {
  /** Those of OpenTelemetry that hand on what others answer. */
  private static final Set<Class<?>> PARTS =
      Set.of(TracerProvider.class, Tracer.class, SpanBuilder.class, Span.class, Scope.class);

  private final SpanBench bench = new SpanBench();

  @AfterEach
  void close() throws Exception {
    bench.close();
  }

  @Test
  void a_job_keeps_the_trace_of_its_request_where_the_submit_is_not_sampled() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    bench.start(
        bench.traced(
            Sampler.parentBasedBuilder(Sampler.alwaysOn())
                .setRemoteParentSampled(Sampler.alwaysOff())
                .build()),
        _ -> {
          asked.await();
          return Outcome.completed();
        });

    bench.submit(TRACE);

    assertThat(bench.text("select traceparent from ebb.job")).isEqualTo(TRACE);
    asked.countDown();
    assertThat(links(bench.span("attempt bookings")))
        .extracting(SpanContext::getTraceId)
        .containsExactly(CALLER);
  }

  @Test
  void what_is_not_sampled_is_linked_by_nothing() throws Exception {
    bench.start(bench.traced(Sampler.parentBased(Sampler.alwaysOn())), _ -> Outcome.completed());

    bench.submit(TRACE.replace("b7-01", "b7-00"));

    assertThat(links(bench.span("attempt bookings"))).isEmpty();
    assertThat(links(bench.span("claim bookings"))).isEmpty();
    assertThat(links(bench.span("settle bookings"))).hasSize(1);
  }

  /** Hands on what the parts of OpenTelemetry answer, but throws where this method is called. */
  private static <T> T broken(Class<T> type, Object real, String method) {
    Object broken =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, called, arguments) -> {
              if (called.getName().equals(method)) {
                throw new NoSuchMethodError(method);
              }
              Object answer = called.invoke(real, arguments);
              Class<?> part = called.getReturnType();
              return PARTS.contains(part) ? broken(part, answer, method) : answer;
            });
    return type.cast(broken);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spanBuilder",
        "setSpanKind",
        "startSpan",
        "makeCurrent",
        "close",
        "getSpanContext",
        "setAttribute",
        "end"
      })
  void a_tracer_that_throws_harms_no_job(String method) throws Exception {
    bench.start(broken(OpenTelemetry.class, bench.sdk, method), _ -> Outcome.completed());

    String id = bench.submit(TRACE);

    String ended = "select coalesce(max(attempt), 0) from ebb.history where id = '" + id + "'";
    Await.until("it completed", () -> !bench.text(ended).equals("0"));
    assertThat(bench.text(ended)).isEqualTo("1");
    Await.until(
        "its lease has ended", () -> bench.text("select count(*) from ebb.lease").equals("0"));
    assertThat(bench.text("select count(*) from ebb.job")).isEqualTo("0");
  }

  @Test
  void where_nothing_is_traced_a_job_keeps_the_trace_of_its_request_and_its_handler_has_none()
      throws Exception {
    AtomicReference<SpanContext> current = new AtomicReference<>();
    CountDownLatch asked = new CountDownLatch(1);
    bench.start(
        OpenTelemetry.noop(),
        _ -> {
          current.set(Span.current().getSpanContext());
          asked.await();
          return Outcome.completed();
        });

    bench.submit(TRACE);

    Await.until("it runs", () -> current.get() != null);
    assertThat(current.get().isValid()).isFalse();
    assertThat(bench.text("select traceparent from ebb.job")).isEqualTo(TRACE);
    asked.countDown();
  }
}
