package dev.ebb.bench.report;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One workload done once by one system.
 *
 * @param round from 1
 * @param failure why the figures do not count; {@code null} if they do
 */
public record Measurement(
    String workload,
    String entrant,
    int round,
    Map<Figure, Double> figures,
    @Nullable String failure) {}
