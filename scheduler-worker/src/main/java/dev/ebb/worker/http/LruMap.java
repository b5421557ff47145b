package dev.ebb.worker.http;

import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.Map;

/** A map of names that forgets the one longest unused when it holds too many. */
final class LruMap<V> extends LinkedHashMap<String, V> {
  static final int MOST = 10_000;

  @Serial private static final long serialVersionUID = 1L;

  private final int most;

  /** One of {@value #MOST} names. */
  LruMap() {
    this(MOST);
  }

  LruMap(int most) {
    super(16, 0.75f, true);
    this.most = most;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
    return size() > most;
  }
}
