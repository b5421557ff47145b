package dev.ebb.worker;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** A hash of what a worker is set to: it shows which nodes are not set like the others. */
final class SettingsHash {
  private static final int BYTES = 8;

  private SettingsHash() {}

  static String of(WorkerConfig config, Map<String, Handler> handlers) {
    StringBuilder text = new StringBuilder(config.withNode("any").toString());
    new TreeMap<>(handlers)
        .forEach((kind, handler) -> text.append('\n').append(kind).append(handler.settings()));
    byte[] hash = sha256().digest(text.toString().getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash, 0, BYTES);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
