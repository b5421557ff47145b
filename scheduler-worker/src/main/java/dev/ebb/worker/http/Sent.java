package dev.ebb.worker.http;

import dev.ebb.core.http.HttpDelivery;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A delivery as it is sent.
 *
 * @param signedBy the ids of the keys that signed it
 * @param destination the one whose address it goes to; {@code null} for that of its payload
 * @param version of that destination
 */
record Sent(
    HttpDelivery delivery,
    List<String> signedBy,
    @Nullable String destination,
    @Nullable String version) {}
