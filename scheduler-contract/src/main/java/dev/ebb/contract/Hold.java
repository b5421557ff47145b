package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What keeps a job from running; without an end where nobody has given one.
 *
 * @param until when it ends by itself; {@code null} for never
 * @param reason why, if they said it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Hold(@Nullable Instant until, @Nullable String reason) {}
