package dev.ebb.core.signing;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireBetween;

import dev.ebb.core.Sha256;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Of which share of the deliveries a key takes part, while receivers change over to it:
 *
 * <pre>
 *   100 %│           ╭──────
 *        │        ╱
 *        │     ╱
 * percent│──╱
 *        └──┬────────┬──────▶
 *         since   wholeAt
 * </pre>
 *
 * <p>A job has a place in it by its webhook-id: it stays in the share at all its attempts, and
 * comes into one that grows at most once.
 *
 * @param percent 0 to 100
 * @param since from when on
 * @param wholeAt until when it grows to all of them; {@code null} to stay as it is
 */
public record KeyShare(int percent, Instant since, @Nullable Instant wholeAt) {
  private static final double ALL = 100;
  private static final double PLACES = 4_294_967_296.0;

  public KeyShare {
    requireBetween(percent, 0, (int) ALL, "share");
    require(wholeAt == null || wholeAt.isAfter(since), "wholeAt", "must be later than since");
  }

  /** How much it is then, 0 to 100. */
  public double percent(Instant now) {
    if (wholeAt == null || now.isBefore(since)) {
      return percent;
    }
    double passed =
        (double) Duration.between(since, now).toMillis()
            / Math.max(1, Duration.between(since, wholeAt).toMillis());
    return Math.min(ALL, percent + (ALL - percent) * passed);
  }

  boolean takes(String id, Instant now) {
    int place = ByteBuffer.wrap(Sha256.of(id)).getInt();
    return Integer.toUnsignedLong(place) / PLACES * ALL < percent(now);
  }
}
