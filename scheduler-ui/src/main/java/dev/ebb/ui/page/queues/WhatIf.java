package dev.ebb.ui.page.queues;

import dev.ebb.api.http.Query;
import dev.ebb.api.inside.Reply;
import dev.ebb.contract.Limiter;
import dev.ebb.contract.Problem;
import dev.ebb.contract.Queue;
import dev.ebb.ui.json.Json;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.words.Url;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rate limit that a reader tries on a queue, whose address holds it: nothing is changed by it.
 *
 * @param form the fields as they were typed, and those of the queue where nothing was
 * @param limiter that the queue would have; {@code null} where nothing was typed, or what breaks a
 *     rule
 * @param refused the rules that are broken; {@code null} if all are kept
 */
public record WhatIf(QueueForm form, @Nullable Limiter limiter, @Nullable Problem refused) {
  static final String RATE = "permitsPerSecond";
  static final String WARM_UP = "warmUp";
  static final String COLD_FACTOR = "coldFactor";

  private static final int BAD_REQUEST = 400;
  private static final String NUMBER = "\\d{1,9}(\\.\\d{1,9})?";

  static WhatIf of(Page page, Queue queue, Query query) {
    Map<String, String> typed = new LinkedHashMap<>();
    for (String name : new String[] {RATE, WARM_UP, COLD_FACTOR}) {
      String value = query.value(name);
      if (value != null) {
        typed.put(name, value.strip());
      }
    }
    QueueForm form = new QueueForm(queue, typed);
    if (typed.isEmpty()) {
      return new WhatIf(form, null, null);
    }
    String path = "/v1/queues/" + Url.segment(queue.name()) + "/limiter/preview";
    Reply reply = page.question(path, body(form));
    return reply.isRefused(BAD_REQUEST)
        ? new WhatIf(form, null, reply.problem())
        : new WhatIf(form, Page.read(reply, Limiter.class), null);
  }

  private static String body(QueueForm form) {
    Map<String, Object> limit = new LinkedHashMap<>();
    put(limit, RATE, form.rate());
    put(limit, COLD_FACTOR, form.coldFactor());
    put(limit, "throttleFactor", form.throttleFactor());
    if (!form.warmUp().isEmpty()) {
      limit.put(WARM_UP, "PT" + form.warmUp() + "S");
    }
    return Json.pretty(Map.of("rateLimit", limit));
  }

  /** What is no number goes as it is, for the API to judge. */
  private static void put(Map<String, Object> limit, String name, String typed) {
    if (!typed.isEmpty()) {
      limit.put(name, typed.matches(NUMBER) ? Double.valueOf(typed) : typed);
    }
  }

  /** Whether a reader typed anything. */
  public boolean isAsked() {
    return !form.tried().isEmpty();
  }

  /** Whether the settings' form is filled in with it. */
  public boolean isTried() {
    return limiter != null;
  }

  /** What was typed into a field; {@code null} for nothing. */
  @Nullable String typed(String field) {
    return form.tried().get(field);
  }

  /** Whether a field was left empty, and is tried with what it is now. */
  public boolean isAsNow(String field) {
    return !form.tried().isEmpty() && typed(field) == null;
  }

  /** The rule that a field breaks; {@code null} if it keeps all. */
  public @Nullable String rule(String field) {
    return refused == null ? null : refused.at("/rateLimit/" + field);
  }
}
