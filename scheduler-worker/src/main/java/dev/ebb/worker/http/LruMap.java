package dev.ebb.worker.http;

import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.Map;

/** A map of names that forgets the one longest unused when it holds {@value #MOST}. */
final class LruMap<V> extends LinkedHashMap<String, V> {
  static final int MOST = 10_000;

  @Serial private static final long serialVersionUID = 1L;

  LruMap() {
    super(16, 0.75f, true);
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
    return size() > MOST;
  }
}
