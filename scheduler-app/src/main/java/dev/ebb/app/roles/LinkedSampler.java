package dev.ebb.app.roles;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.List;

/**
 * Has a span without a parent follow its links, as one with a parent follows that: what links to a
 * span that is kept is kept, so that all of a job is kept or nothing. A batch is kept for any of
 * its jobs.
 *
 * @param others decides on spans whose links are none, or not kept
 */
record LinkedSampler(Sampler others) implements Sampler {
  private static final String PARENT_BASED = "parentbased_";

  /** The sampler that is set: one that follows no parent follows no link either. */
  static Sampler of(Sampler given, ConfigProperties config) {
    String name = config.getString("otel.traces.sampler", PARENT_BASED);
    return name.startsWith(PARENT_BASED) ? new LinkedSampler(given) : given;
  }

  @Override
  public SamplingResult shouldSample(
      Context parent,
      String traceId,
      String name,
      SpanKind kind,
      Attributes attributes,
      List<LinkData> links) {
    boolean isRoot = !Span.fromContext(parent).getSpanContext().isValid();
    return isRoot && links.stream().anyMatch(link -> link.getSpanContext().isSampled())
        ? SamplingResult.recordAndSample()
        : others.shouldSample(parent, traceId, name, kind, attributes, links);
  }

  @Override
  public String getDescription() {
    return "LinkedSampler{" + others.getDescription() + "}";
  }
}
