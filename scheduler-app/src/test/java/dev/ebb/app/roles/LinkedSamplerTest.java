package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.app.settings.Settings;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which spans are kept of a node that sends a share of them. */
class LinkedSamplerTest {
  private static final SpanContext KEPT = context(TraceFlags.getSampled());
  private static final SpanContext DROPPED = context(TraceFlags.getDefault());

  private interface Use {
    void of(OpenTelemetry telemetry);
  }

  private static SpanContext context(TraceFlags flags) {
    return SpanContext.createFromRemoteParent(
        "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7", flags, TraceState.getDefault());
  }

  private static void with(String sampler, Use use) throws Exception {
    try (Collector collector = Collector.start()) {
      Map<String, String> properties = new HashMap<>(collector.properties());
      properties.put("otel.traces.sampler", sampler);
      properties.put("otel.traces.sampler.arg", "0");
      with(properties, use);
    }
  }

  private static void with(Map<String, String> properties, Use use) throws Exception {
    properties.forEach(System::setProperty);
    try (TraceExport export = TraceExport.start(Settings.read(Map.of("EBB_TRACES", "otlp")))) {
      use.of(export.telemetry());
    } finally {
      properties.keySet().forEach(System::clearProperty);
    }
  }

  private static boolean keeps(OpenTelemetry telemetry, Context parent, SpanContext... links) {
    var builder = telemetry.getTracer("test").spanBuilder("span").setParent(parent);
    for (SpanContext link : links) {
      builder.addLink(link);
    }
    Span span = builder.startSpan();
    span.end();
    return span.getSpanContext().isSampled();
  }

  @Test
  void what_links_to_a_span_that_is_kept_is_kept() throws Exception {
    with(
        "parentbased_traceidratio",
        telemetry -> {
          assertThat(keeps(telemetry, Context.root())).isFalse();
          assertThat(keeps(telemetry, Context.root(), DROPPED)).isFalse();
          assertThat(keeps(telemetry, Context.root(), DROPPED, KEPT)).isTrue();
        });
  }

  @Test
  void a_parent_decides_before_any_link() throws Exception {
    with(
        "parentbased_traceidratio",
        telemetry -> {
          assertThat(keeps(telemetry, Context.root().with(Span.wrap(DROPPED)), KEPT)).isFalse();
          assertThat(keeps(telemetry, Context.root().with(Span.wrap(KEPT)))).isTrue();
        });
  }

  @Test
  void a_sampler_that_follows_no_parent_follows_no_link() throws Exception {
    with("traceidratio", telemetry -> assertThat(keeps(telemetry, Context.root(), KEPT)).isFalse());
    with("always_off", telemetry -> assertThat(keeps(telemetry, Context.root(), KEPT)).isFalse());
  }
}
