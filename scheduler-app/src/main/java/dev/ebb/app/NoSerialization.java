package dev.ebb.app;

import java.io.ObjectInputFilter;

/**
 * Refuses every serialized Java object: nothing in Ebb reads any, so whoever brings some is up to
 * no good. What the JVM was started with, by {@code -Djdk.serialFilter}, stays as it is.
 */
final class NoSerialization {
  private NoSerialization() {}

  /** For the whole process, from now on. */
  static void enforce() {
    if (ObjectInputFilter.Config.getSerialFilter() == null) {
      ObjectInputFilter.Config.setSerialFilter(ObjectInputFilter.Config.createFilter("!*"));
    }
  }
}
