package dev.ebb.api.access;

import dev.ebb.core.access.Scope;
import java.util.List;

/** Hides payloads from callers that may not read them. */
public final class PayloadMask {
  private final JsonMask payload;
  private final JsonMask attempt =
      new JsonMask(
          List.of(
              "/request/url",
              "/request/headers",
              "/request/body",
              "/response/headers",
              "/response/body"));

  public PayloadMask(AccessConfig config) {
    this.payload = new JsonMask(config.masked());
  }

  /** A job's payload as the caller may see it. */
  public String payload(Caller caller, String json) {
    return caller.may(Scope.PAYLOAD_READ) ? json : payload.apply(json);
  }

  /** What an attempt recorded, without what it sent and got. */
  public String attempt(Caller caller, String json) {
    return caller.may(Scope.PAYLOAD_READ) ? json : attempt.apply(json);
  }
}
