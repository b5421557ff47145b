package dev.ebb.core.query;

import dev.ebb.core.NearMiss;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where a job stands, as filters tell jobs apart: each job is in one phase. An available job is
 * due, held, blocked by another of its ordering key, or waits for its run at: scheduled before its
 * first attempt and retrying after it.
 */
public enum Phase {
  DUE,
  HELD,
  BLOCKED,
  SCHEDULED,
  RETRYING,
  RUNNING,
  COMPLETED,
  CANCELLED,
  DEAD_LETTER;

  /** Those of an available job. */
  static final Set<Phase> WAITING = Collections.unmodifiableSet(EnumSet.range(DUE, RETRYING));

  private static final SortedMap<String, Set<Phase>> WORDS = words();

  /** The name in SQL and in filters. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it is where a job's life ends, unless somebody redrives it. */
  boolean isEnd() {
    return compareTo(COMPLETED) >= 0;
  }

  private static SortedMap<String, Set<Phase>> words() {
    SortedMap<String, Set<Phase>> words = new TreeMap<>();
    Arrays.stream(values()).forEach(phase -> words.put(phase.word(), EnumSet.of(phase)));
    words.put("available", WAITING);
    words.put("dead", EnumSet.of(DEAD_LETTER));
    return Collections.unmodifiableSortedMap(words);
  }

  /** The words of filters, each for one phase or more. */
  public static Set<String> filterWords() {
    return WORDS.keySet();
  }

  /** The phases that a word of a filter stands for; {@code null} if it is none. */
  static @Nullable Set<Phase> of(String word) {
    return WORDS.get(word);
  }

  /** What a word must be, with the one that comes near. */
  static String rule(String word) {
    Collection<String> words = WORDS.keySet();
    return "must be one of " + String.join(", ", words) + near(word, words);
  }

  private static String near(String word, Collection<String> words) {
    return NearMiss.of(word, words).map(near -> "; did you mean " + near + "?").orElse("");
  }
}
