package dev.ebb.api.access;

import dev.ebb.api.http.JsonCards;
import dev.ebb.core.access.Scope;
import java.util.List;
import java.util.stream.Stream;

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

  /**
   * What is masked for the caller, in the words of exports: {@code secrets} for everybody, {@code
   * payload} for those without {@code payload:read}, {@code card_numbers} by setting.
   */
  public List<String> masked() {
    return Stream.of("secrets", seesAll ? "" : "payload", hidesCards ? "card_numbers" : "")
        .filter(word -> !word.isEmpty())
        .toList();
  }

  private String withoutCards(String json) {
    return hidesCards ? JsonCards.masked(json) : json;
  }
}
