package dev.ebb.core.health;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The figures that were asked for: the value of each, or why it could not be read. */
public final class Figures {
  public static final Figures NONE = new Figures(Map.of(), Map.of());

  private final Map<Figure<?>, Object> values;
  private final Map<Figure<?>, String> unread;

  private Figures(Map<Figure<?>, Object> values, Map<Figure<?>, String> unread) {
    this.values = values;
    this.unread = unread;
  }

  /** These, and that one. */
  public <T> Figures with(Figure<T> figure, T value) {
    return and(new Figures(Map.of(figure, value), Map.of()));
  }

  /**
   * These, and that one, which could not be read.
   *
   * @param why as a clause
   */
  public Figures without(Figure<?> figure, String why) {
    return and(new Figures(Map.of(), Map.of(figure, why)));
  }

  /** These and others, which take the place of equal ones. */
  public Figures and(Figures others) {
    Map<Figure<?>, Object> allValues = new HashMap<>(values);
    Map<Figure<?>, String> allUnread = new HashMap<>(unread);
    allValues.keySet().removeAll(others.unread.keySet());
    allUnread.keySet().removeAll(others.values.keySet());
    allValues.putAll(others.values);
    allUnread.putAll(others.unread);
    return new Figures(allValues, allUnread);
  }

  /** Why those are missing that could not be read, by name. */
  public Map<String, String> unread() {
    Map<String, String> byName = new TreeMap<>();
    unread.forEach((figure, why) -> byName.put(figure.name(), why));
    return byName;
  }

  /** Why it could not be read; {@code null} if it was. */
  public @Nullable String unread(Figure<?> figure) {
    return unread.get(figure);
  }

  /** The value of one that was read; {@code null} for any other. */
  public <T> @Nullable T orNull(Figure<T> figure) {
    return figure.typed(values.get(figure));
  }

  /** The value of one that was read. */
  public <T> T get(Figure<T> figure) {
    return Objects.requireNonNull(orNull(figure), figure.name());
  }

  /** Whether it was asked for. */
  boolean has(Figure<?> figure) {
    return values.containsKey(figure) || unread.containsKey(figure);
  }
}
