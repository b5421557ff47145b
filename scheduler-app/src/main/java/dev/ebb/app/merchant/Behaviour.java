package dev.ebb.app.merchant;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** How the merchant answers deliveries. */
public enum Behaviour {
  OK("ok", "200 with {\"received\":true}"),
  SUCCESS("success", "200 with the text success, as Alipay wants it"),
  ERROR("500", "500"),
  SLOW("slow", "200, after 20 seconds"),
  CLOSE("close", "no answer: the connection is closed"),
  THROTTLE("429", "429 with Retry-After: 5"),
  WRONG_BODY("wrong-body", "200 with {\"received\":false}"),
  PAID("paid", "200 with {\"status\":\"PENDING\"}; to the third question of a job, PAID"),
  GONE("410", "410"),
  HTML("html", "200 with an HTML page, as a captive portal gives it"),
  DOWN("down", "the port is closed: connections are refused"),
  MIX("mix", "7 of 10 ok, the others by chance 500, 429, close or html");

  private static final List<Behaviour> MISHAPS = List.of(ERROR, THROTTLE, CLOSE, HTML);

  private final String word;
  private final String meaning;

  Behaviour(String word, String meaning) {
    this.word = word;
    this.meaning = meaning;
  }

  /** The word by which it is switched on. */
  public String word() {
    return word;
  }

  public String meaning() {
    return meaning;
  }

  /** The behaviour of that word, whatever its case. */
  public static Optional<Behaviour> named(String word) {
    String lower = word.strip().toLowerCase(Locale.ROOT);
    return Stream.of(values()).filter(behaviour -> behaviour.word.equals(lower)).findFirst();
  }

  /** The behaviour that a path of {@code /as/WORD/…} asks for. */
  static Optional<Behaviour> ofPath(String path) {
    String[] segments = path.split("/", 4);
    return segments.length > 2 && segments[1].equals("as") ? named(segments[2]) : Optional.empty();
  }

  /** The behaviour towards one delivery: this one, or for the mix one of the others. */
  Behaviour draw(RandomGenerator random) {
    if (this != MIX) {
      return this;
    }
    return random.nextInt(10) < 7 ? OK : MISHAPS.get(random.nextInt(MISHAPS.size()));
  }
}
