package dev.ebb.api.destinations;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireBetween;

import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.core.signing.KeyShare;
import dev.ebb.core.signing.SigningKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a key takes over from the older ones of its scheme: at once, at a time, or for a share that
 * somebody raises later.
 *
 * @param share of the deliveries; {@code null} for all, at once
 * @param overlap how long the older keys go on once it has all
 */
record KeyTurn(@Nullable KeyShare share, Duration overlap) {
  private static final Duration OVERLAP = Duration.ofHours(24);
  private static final Duration LONGEST = Duration.ofDays(30);
  private static final Duration SHORTEST_GROWTH = Duration.ofMinutes(1);
  private static final int ALL = 100;

  static KeyTurn read(JsonObject body, Instant now) {
    Integer percent = body.optional("share", JsonValue::integer);
    Duration wholeIn = body.optional("wholeIn", JsonValue::duration);
    Duration overlap =
        Objects.requireNonNullElse(body.optional("overlap", JsonValue::duration), OVERLAP);
    return body.build(() -> {
      requireBetween(overlap, Duration.ZERO, LONGEST, "overlap");
      if (wholeIn != null) {
        require(percent == null || percent < ALL, "wholeIn", "must be absent with a share of 100");
        requireBetween(wholeIn, SHORTEST_GROWTH, LONGEST, "wholeIn");
      }
      return new KeyTurn(share(percent, wholeIn, now), overlap);
    });
  }

  private static @Nullable KeyShare share(
      @Nullable Integer percent, @Nullable Duration wholeIn, Instant now) {
    if (percent == null && wholeIn == null) {
      return null;
    }
    Instant wholeAt = wholeIn == null ? null : now.plus(wholeIn);
    KeyShare share = new KeyShare(percent == null ? 0 : percent, now, wholeAt);
    return share.percent() == ALL ? null : share;
  }

  /** When the older keys expire; {@code null} while nobody knows. */
  private @Nullable Instant end(Instant now) {
    if (share == null) {
      return now.plus(overlap);
    }
    return share.wholeAt() == null ? null : share.wholeAt().plus(overlap);
  }

  /** The key in front of the others, of which what has expired goes. */
  List<SigningKey> before(List<SigningKey> keys, SigningKey added) {
    Instant now = added.createdAt();
    Instant end = end(now);
    List<SigningKey> all = new ArrayList<>(List.of(added.with(share)));
    for (SigningKey key : keys) {
      SigningKey kept = key.scheme() == added.scheme() && end != null ? key.until(end) : key;
      if (kept.isActive(now)) {
        all.add(kept);
      }
    }
    return all;
  }

  /**
   * The same keys with this turn of one of them. That which it takes over from goes on till then.
   */
  List<SigningKey> of(List<SigningKey> keys, SigningKey turned, Instant now) {
    Instant end = end(now);
    List<SigningKey> all = new ArrayList<>();
    boolean isOlder = false;
    boolean isNext = true;
    for (SigningKey key : keys) {
      if (key.equals(turned)) {
        all.add(key.with(share));
        isOlder = true;
      } else if (isOlder && key.scheme() == turned.scheme() && key.isActive(now)) {
        SigningKey goesOn = isNext ? key.lasting() : key;
        all.add(end == null ? goesOn : goesOn.until(end));
        isNext = false;
      } else {
        all.add(key);
      }
    }
    return all;
  }
}
