package dev.ebb.db.trace;

import static java.util.Objects.requireNonNull;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Job;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Traceparent;
import dev.ebb.db.trace.Conventions.Operation;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes the spans of jobs.
 *
 * <pre>
 *   submit   PRODUCER   in the caller's trace; its jobs keep its context
 *                ▲ ▲
 *   claim    ────┘ │    CLIENT, if it got jobs
 *   attempt  ──────┘    CONSUMER, the current span of its handler
 *                ▲
 *   settle   ────┘      CLIENT, of a batch
 * </pre>
 *
 * <p>The arrows are links. Days may lie between a submit and an attempt, and a batch has jobs of
 * many traces, so none of them is the child of another: each but the submit begins a trace. What is
 * not sampled is no end of an arrow: nobody would find it.
 *
 * <p>What makes spans may be the application's own, and throw anything: then a span is missing, and
 * the job goes on.
 */
public final class Traces {
  /** Makes no spans, and costs nothing. */
  public static final Traces OFF = new Traces(null);

  /** As many as an SDK keeps, unless it is told otherwise. */
  private static final int MOST_LINKS = 128;

  private final @Nullable Tracer tracer;

  private Traces(@Nullable Tracer tracer) {
    this.tracer = tracer;
  }

  /** Makes spans there; none where that is {@link OpenTelemetry#noop}. */
  public static Traces of(OpenTelemetry telemetry) {
    return telemetry.equals(OpenTelemetry.noop())
        ? OFF
        : new Traces(telemetry.getTracer(Conventions.SCOPE));
  }

  /** Whether spans are made: otherwise nothing need be found out for them. */
  public boolean areOn() {
    return tracer != null;
  }

  /** Begins the submit of these jobs, in the trace of the first. */
  public Span submit(List<NewJob> jobs) {
    Set<String> queues = jobs.stream().map(NewJob::queue).collect(Collectors.toSet());
    SpanContext parent = context(jobs.getFirst().traceparent());
    return begun(() -> {
      SpanBuilder builder = builder(Operation.SUBMIT, queues);
      return (parent == null ? builder : builder.setParent(Context.root().with(Span.wrap(parent))))
          .startSpan();
    });
  }

  /**
   * The submit is answered with these ids.
   *
   * @param stored whether one of them is new
   */
  public static void submitted(Span submit, List<UUID> ids, boolean stored) {
    Quietly.run(() -> {
      submit.setAttribute(Conventions.SUBMIT_STORED, stored);
      if (ids.size() == 1) {
        submit.setAttribute(Conventions.MESSAGE_ID, ids.getFirst().toString());
      } else {
        submit.setAttribute(Conventions.MESSAGE_COUNT, (long) ids.size());
      }
    });
  }

  /**
   * A claim that just ended got jobs of the queue.
   *
   * @param submits their traces
   */
  public void claimed(
      String node, String queue, long tookNanos, Collection<@Nullable String> submits) {
    Quietly.run(() ->
        builder(Operation.CLAIM, node, Set.of(queue), submits)
            .setStartTimestamp(Instant.now().minusNanos(tookNanos))
            .startSpan()
            .end());
  }

  /**
   * Begins an attempt.
   *
   * @param submit the trace of its job
   */
  public Span attempt(Job job, String node, @Nullable String submit) {
    return begun(() -> {
      SpanBuilder builder =
          builder(Operation.ATTEMPT, Set.of(job.queue()))
              .setAttribute(Conventions.CLIENT_ID, node)
              .setAttribute(Conventions.MESSAGE_ID, job.id().toString())
              .setAttribute(Conventions.JOB_KIND, job.kind())
              .setAttribute(Conventions.JOB_ATTEMPT, (long) job.attempt());
      link(builder, submit == null ? List.of() : List.of(submit));
      return builder.startSpan();
    });
  }

  /** Does the work with the span as the current one of its thread. */
  public static <T> T current(Span span, Supplier<T> work) {
    Scope scope = Quietly.get(span::makeCurrent, Scope.noop());
    try {
      return work.get();
    } finally {
      Quietly.run(scope::close);
    }
  }

  /** Ends an attempt; one that failed is an error. */
  public static void ended(Span attempt, Outcome outcome) {
    Quietly.run(() -> {
      attempt.setAttribute(Conventions.JOB_OUTCOME, outcome.word());
      Failure failure = outcome.failure();
      if (failure != null) {
        attempt.setAttribute(Conventions.ERROR_TYPE, failure.reason());
        attempt.setStatus(StatusCode.ERROR);
      }
    });
    Quietly.run(attempt::end);
  }

  /**
   * Begins to settle attempts of these queues.
   *
   * @param attempts their traces
   */
  public Span settle(String node, Set<String> queues, Collection<@Nullable String> attempts) {
    return begun(() -> builder(Operation.SETTLE, node, queues, attempts).startSpan());
  }

  /** What a span is of. */
  @FunctionalInterface
  public interface Work<T> {
    T go() throws SQLException;
  }

  /** Does the work of the span, which ends with it, as an error if it throws. */
  public static <T> T within(Span span, Work<T> work) throws SQLException {
    try {
      return work.go();
    } catch (Throwable e) {
      String state = e instanceof SQLException refused ? refused.getSQLState() : null;
      failed(span, state == null ? e.getClass().getName() : state);
      throw e;
    } finally {
      Quietly.run(span::end);
    }
  }

  /** The work of the span failed, for this reason. */
  public static void failed(Span span, String why) {
    Quietly.run(() -> span.setAttribute(Conventions.ERROR_TYPE, why).setStatus(StatusCode.ERROR));
  }

  /** How others refer to the span; {@code null} if it is not sampled, so that nobody keeps it. */
  public static @Nullable String traceparent(Span span) {
    String text = Quietly.get(() -> text(span.getSpanContext()), "");
    return Traceparent.isValid(text) ? text : null;
  }

  /** Empty if it is not sampled: each delivery asks, also where nothing is traced. */
  private static String text(SpanContext context) {
    return context.isSampled()
        ? "00-%s-%s-%s"
            .formatted(context.getTraceId(), context.getSpanId(), context.getTraceFlags().asHex())
        : "";
  }

  /** The same of the current span of this thread. */
  public static @Nullable String traceparent() {
    return traceparent(Quietly.get(Span::current, Span.getInvalid()));
  }

  private static Span begun(Supplier<Span> span) {
    return Quietly.get(span, Span.getInvalid());
  }

  private SpanBuilder builder(
      Operation operation, String node, Set<String> queues, Collection<@Nullable String> linked) {
    SpanBuilder builder =
        builder(operation, queues)
            .setAttribute(Conventions.CLIENT_ID, node)
            .setAttribute(Conventions.MESSAGE_COUNT, (long) linked.size());
    link(builder, linked);
    return builder;
  }

  /** Several queues have no place in a name. */
  private SpanBuilder builder(Operation operation, Set<String> queues) {
    String queue = queues.size() == 1 ? queues.iterator().next() : null;
    SpanBuilder builder =
        requireNonNull(tracer, "no spans are made")
            .spanBuilder(queue == null ? operation.word : operation.word + " " + queue)
            .setNoParent()
            .setSpanKind(operation.kind)
            .setAttribute(Conventions.SYSTEM, Conventions.EBB)
            .setAttribute(Conventions.OPERATION_NAME, operation.word)
            .setAttribute(Conventions.OPERATION_TYPE, operation.type);
    return queue == null ? builder : builder.setAttribute(Conventions.DESTINATION, queue);
  }

  private static void link(SpanBuilder builder, Collection<@Nullable String> traceparents) {
    traceparents.stream()
        .filter(Traces::isSampled)
        .limit(MOST_LINKS)
        .map(Traces::context)
        .filter(Objects::nonNull)
        .forEach(builder::addLink);
  }

  /** By the last digit alone, so that a batch of which nothing is sampled costs next to nothing. */
  private static boolean isSampled(@Nullable String traceparent) {
    return traceparent != null
        && !traceparent.isEmpty()
        && (Character.digit(traceparent.charAt(traceparent.length() - 1), 16) & 1) == 1;
  }

  /** What a newer version may have stored and this one cannot read is no trace. */
  private static @Nullable SpanContext context(@Nullable String traceparent) {
    if (traceparent == null || !Traceparent.isValid(traceparent)) {
      return null;
    }
    return SpanContext.createFromRemoteParent(
        traceparent.substring(3, 35),
        traceparent.substring(36, 52),
        TraceFlags.fromHex(traceparent, 53),
        TraceState.getDefault());
  }
}
