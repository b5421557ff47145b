package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an operation would cover.
 *
 * @param matched how many jobs match
 * @param exact whether {@code matched} is no estimate
 * @param maxJobs how many of them it would touch at most; absent for all
 * @param byQueue of the jobs that were counted exactly
 * @param sample some of the jobs, without payloads
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OperationPreview(
    long matched,
    boolean exact,
    @Nullable Integer maxJobs,
    Map<String, Long> byQueue,
    List<Job> sample) {}
