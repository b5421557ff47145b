package dev.ebb.ui.late;

import dev.ebb.ui.json.Delivery;
import java.util.Locale;

/** What a job's time can go to. */
public enum Part {
  SCHEDULED("scheduled", "before it was due"),
  HELD("held", "somebody held the job"),
  PAUSED("paused", "somebody paused the queue"),
  CIRCUIT("destination", "the destination failed, or asked us to wait"),
  LIMITER("limiter", "the queue's rate limit had no permit left"),
  SLOT("slot", "due, until it had a free slot on a running node"),
  BACKOFF("backoff", "after a failed attempt, until the next was due"),
  DEAD_LETTER("dead letter", "given up, until somebody acted"),
  LOOKUP("name", "looking up the host's name"),
  CONNECT("connect", "connecting to the host"),
  TLS("TLS", "the TLS handshake"),
  FIRST_BYTE("first byte", "until the response began"),
  BODY("body", "reading the response"),
  NODE("in the node", "in the attempt, outside of the delivery's record"),
  RUN("run", "the attempt ran"),
  LOST("worker lost", "until the lost worker's lease expired"),
  GIVEN_BACK("given back", "in an attempt that its node gave back"),
  COMMIT("commit", "until the outcome was saved"),
  WAITING("waiting", "not recorded");

  private final String word;
  private final String meaning;

  Part(String word, String meaning) {
    this.word = word;
    this.meaning = meaning;
  }

  /** That of a step of a delivery. */
  public static Part of(Delivery.Step step) {
    return switch (step) {
      case LOOKUP -> LOOKUP;
      case CONNECT -> CONNECT;
      case TLS -> TLS;
      case FIRST_BYTE -> FIRST_BYTE;
      case BODY -> BODY;
    };
  }

  public String word() {
    return word;
  }

  /** When time goes to it. */
  public String meaning() {
    return meaning;
  }

  /** The class of its colour. */
  public String shade() {
    return "to-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether the handler works meanwhile, as far as its end is known. */
  boolean isRun() {
    return switch (this) {
      case LOOKUP, CONNECT, TLS, FIRST_BYTE, BODY, NODE, RUN -> true;
      case SCHEDULED,
          HELD,
          PAUSED,
          CIRCUIT,
          LIMITER,
          SLOT,
          BACKOFF,
          DEAD_LETTER,
          LOST,
          GIVEN_BACK,
          COMMIT,
          WAITING ->
          false;
    };
  }
}
