package dev.ebb.core.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A destination's answer to a delivery, as far as its outcome may depend on it.
 *
 * @param retryAfter how long the destination asks to wait, {@code null} if it does not
 * @param asksToStop whether a header asks for no more attempts
 * @param body the beginning of the body; {@code null} if that is no text
 * @param cut whether the body goes on after that
 */
public record DeliveryResponse(
    int status,
    @Nullable Duration retryAfter,
    boolean asksToStop,
    @Nullable String body,
    boolean cut) {}
