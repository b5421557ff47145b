package dev.ebb.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Of which share of the deliveries a key takes part, while receivers change over to it.
 *
 * @param percent 0 to 100
 * @param since from when on
 * @param wholeAt until when it grows evenly to all of them; absent to stay as it is
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KeyShare(int percent, Instant since, @Nullable Instant wholeAt) {}
