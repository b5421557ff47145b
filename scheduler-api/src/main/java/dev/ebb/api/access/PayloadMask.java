package dev.ebb.api.access;

import java.util.List;

/** Hides payloads from callers that may not read them, and card numbers from all, by setting. */
public final class PayloadMask {
  private final JsonMask payload;
  private final boolean hidesCards;
  private final JsonMask attempt =
      new JsonMask(
          List.of(
              "/request/url",
              "/request/headers",
              "/request/body",
              "/destination/version",
              "/response/headers",
              "/response/body",
              "/result"));

  public PayloadMask(AccessConfig config) {
    this.payload = new JsonMask(config.masked());
    this.hidesCards = config.cardNumbers().masks();
  }

  /** What the caller may see. */
  public PayloadReader of(Caller caller) {
    return new PayloadReader(caller, payload, attempt, hidesCards);
  }
}
