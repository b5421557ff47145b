package dev.ebb.worker.http;

import java.security.SecureRandom;
import java.util.HexFormat;

/** What no other request has. */
final class Nonce {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BYTES = 16;

  private Nonce() {}

  /** 32 hexadecimal digits. */
  static String random() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
