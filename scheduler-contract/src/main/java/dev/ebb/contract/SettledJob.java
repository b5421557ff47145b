package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job that was settled.
 *
 * @param lease the id of the lease
 * @param id the id of the job
 * @param became its state: completed, available, dead_letter or cancelled
 * @param runAt when its next attempt is due; absent unless it is available
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SettledJob(String lease, String id, String became, @Nullable Instant runAt) {}
