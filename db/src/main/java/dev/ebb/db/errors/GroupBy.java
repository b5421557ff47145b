package dev.ebb.db.errors;

import java.util.Arrays;
import java.util.List;

/** What the dead letters of a row of a list have in common. */
public enum GroupBy {
  /** A row is a group. */
  ERROR_SUBJECT("error_subject"),
  ERROR("error"),
  SUBJECT("subject"),
  /** A queue with an address; of other queues there is no row. */
  DESTINATION("destination");

  private final String word;

  GroupBy(String word) {
    this.word = word;
  }

  /** The name in REST. */
  public String word() {
    return word;
  }

  /** The names of all. */
  public static List<String> words() {
    return Arrays.stream(values()).map(GroupBy::word).toList();
  }

  /** The one of a name that is among {@link #words}. */
  public static GroupBy of(String word) {
    return Arrays.stream(values()).filter(by -> by.word.equals(word)).findFirst().orElseThrow();
  }
}
