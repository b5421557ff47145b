package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The start of the cluster.
 *
 * @param paused whether nothing runs until people resume it
 * @param pausedSince since when it is paused; {@code null} if it is not
 * @param pausedBy the setting or command, and where
 * @param resumedAt when people last resumed it; {@code null} for never
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Start(
    boolean paused,
    @Nullable Instant pausedSince,
    @Nullable String pausedBy,
    @Nullable Instant resumedAt) {}
