package dev.ebb.core.health;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part of what was asked for.
 *
 * @param value {@code null} if it could not be read
 * @param why it could not be read, as a clause; empty if it was
 */
public record Part<T>(@Nullable T value, String why) {
  public static <T> Part<T> of(T value) {
    return new Part<>(value, "");
  }

  public static <T> Part<T> unread(String why) {
    return new Part<>(null, why);
  }

  public boolean isRead() {
    return value != null;
  }

  /** The value of a part that was read. */
  public T get() {
    return Objects.requireNonNull(value);
  }

  /** The value, or what stands for one that was not read. */
  public T orElse(T other) {
    return value == null ? other : value;
  }

  /** What the judge finds in the value, or that the thing is not known. */
  Finding judged(String code, Theme theme, String what, Function<T, Finding> judge) {
    return value == null
        ? Finding.unknown(
            code, theme, what + " could not be read: " + why + ".", "Load this again.")
        : judge.apply(value);
  }
}
