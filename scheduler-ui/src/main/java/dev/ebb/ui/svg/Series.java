package dev.ebb.ui.svg;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The numbers of a chart over time, for a script that lets a reader point at them and zoom. */
public final class Series {
  private static final MathContext DIGITS = new MathContext(5);

  private final boolean lengths;
  private final boolean isForming;
  private final List<Instant> times;
  private final List<String> lines = new ArrayList<>();

  private Series(List<Instant> times, boolean isForming, boolean lengths) {
    this.times = times;
    this.isForming = isForming;
    this.lengths = lengths;
  }

  /** Of numbers; the last time may stand for a step that is still forming. */
  static Series numbers(List<Instant> times, boolean isForming) {
    return new Series(times, isForming, false);
  }

  /** Of lengths of time in seconds, drawn on a logarithmic scale. */
  static Series lengths(List<Instant> times, boolean isForming) {
    return new Series(times, isForming, true);
  }

  /** Adds a line, with a word of its colour and as many values as there are times. */
  Series line(String colour, String name, List<@Nullable Double> values) {
    StringJoiner all = new StringJoiner(",", "[", "]");
    values.forEach(value -> all.add(value == null ? "null" : number(value)));
    lines.add("{\"colour\":\"%s\",\"name\":\"%s\",\"values\":%s}".formatted(colour, name, all));
    return this;
  }

  private static String number(double value) {
    return BigDecimal.valueOf(value).round(DIGITS).stripTrailingZeros().toPlainString();
  }

  /** As JSON: of fixed words and numbers alone. */
  public String json() {
    StringJoiner seconds = new StringJoiner(",", "[", "]");
    times.forEach(time -> seconds.add(Long.toString(time.getEpochSecond())));
    return "{\"lengths\":%b,\"forming\":%b,\"times\":%s,\"lines\":[%s]}"
        .formatted(lengths, isForming, seconds, String.join(",", lines));
  }
}
