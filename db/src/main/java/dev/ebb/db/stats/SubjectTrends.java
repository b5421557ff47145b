package dev.ebb.db.stats;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The subjects whose failing share rises.
 *
 * @param asOf the database's clock
 * @param label that people chose as subject; {@code null} for none
 * @param counted attempts that ended in the last hour, of all subjects
 * @param rising those whose share rose by most for sure, first
 * @param others all that found no place, together
 */
public record SubjectTrends(
    Instant asOf,
    @Nullable String label,
    long counted,
    List<SubjectTrend> rising,
    SubjectTrend others) {}
