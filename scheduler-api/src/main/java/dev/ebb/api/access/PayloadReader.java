package dev.ebb.api.access;

import dev.ebb.api.http.JsonCards;
import dev.ebb.core.access.Scope;

/**
 * What one caller may see of payloads, and of what attempts sent and got. It is made for a caller
 * alone: so no answer that shows a job can be built by who does not know for whom.
 */
public final class PayloadReader {
  private final boolean seesAll;
  private final JsonMask payload;
  private final JsonMask attempt;
  private final boolean hidesCards;

  PayloadReader(Caller caller, JsonMask payload, JsonMask attempt, boolean hidesCards) {
    this.seesAll = caller.may(Scope.PAYLOAD_READ);
    this.payload = payload;
    this.attempt = attempt;
    this.hidesCards = hidesCards;
  }

  /** A job's payload as the caller may see it. */
  public String payload(String json) {
    return withoutCards(seesAll ? json : payload.apply(json));
  }

  /** What an attempt recorded, without what it sent and got. */
  public String attempt(String json) {
    return withoutCards(seesAll ? json : attempt.apply(json));
  }

  private String withoutCards(String json) {
    return hidesCards ? JsonCards.masked(json) : json;
  }
}
