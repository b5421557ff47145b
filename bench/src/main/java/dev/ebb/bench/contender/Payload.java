package dev.ebb.bench.contender;

/** What every job carries: its number, in a JSON text of 200 bytes. */
public final class Payload {
  static final int BYTES = 200;

  private static final String BEFORE = "{\"number\":";
  private static final String BETWEEN = ",\"padding\":\"";
  private static final String AFTER = "\"}";

  private Payload() {}

  public static String of(int number) {
    String start = BEFORE + number + BETWEEN;
    return start + "x".repeat(BYTES - start.length() - AFTER.length()) + AFTER;
  }

  public static int number(String payload) {
    return Integer.parseInt(payload, BEFORE.length(), payload.indexOf(','), 10);
  }
}
