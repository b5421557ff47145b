package dev.ebb.worker;

import dev.ebb.core.Sha256;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** A hash of what a node is set to: it shows which nodes are not set like the others. */
final class SettingsHash {
  private static final int BYTES = 8;

  private SettingsHash() {}

  static String of(WorkerConfig config, Map<String, Handler> handlers) {
    StringBuilder text = new StringBuilder(config.withNode("any").toString());
    new TreeMap<>(handlers)
        .forEach((kind, handler) -> text.append('\n').append(kind).append(handler.settings()));
    return of(text.toString());
  }

  static String of(String settings) {
    return HexFormat.of().formatHex(Sha256.of(settings), 0, BYTES);
  }
}
