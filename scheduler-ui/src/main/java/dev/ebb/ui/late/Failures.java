package dev.ebb.ui.late;

import dev.ebb.contract.Attempt;
import dev.ebb.contract.Failure;
import dev.ebb.ui.words.Words;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What went wrong in attempts, in words: {@code the merchant answered 500 three times}. */
final class Failures {
  private static final int MOST = 3;
  private static final String ANSWERED = "http_";

  /** Of an attempt that its deadline kept from starting. */
  private static final String NOT_STARTED = "deadline";

  private static final List<String> TIMES =
      List.of("once", "twice", "three times", "four times", "five times", "six times");

  /** Who did what. */
  private record Deed(String who, String what) {}

  private Failures() {}

  /**
   * The words; empty if nothing went wrong.
   *
   * @param atLeast whether there may have been more
   */
  static String words(List<Attempt> attempts, boolean delivery, boolean atLeast) {
    Map<Deed, Integer> deeds = new LinkedHashMap<>();
    for (Attempt attempt : attempts) {
      Failure error = attempt.error();
      if (attempt.word().equals("given_back")) {
        deeds.merge(new Deed("a node", "gave it back"), 1, Integer::sum);
      } else if (isFailed(attempt) && !(error != null && error.reason().equals(NOT_STARTED))) {
        deeds.merge(deed(error == null ? "" : error.reason(), delivery), 1, Integer::sum);
      }
    }
    return joined(deeds, atLeast);
  }

  static boolean isFailed(Attempt attempt) {
    return switch (attempt.word()) {
      case "failed", "throttled", "fatal" -> true;
      default -> false;
    };
  }

  static String times(int number) {
    return number <= TIMES.size() ? TIMES.get(number - 1) : Words.number(number) + " times";
  }

  private static Deed deed(String reason, boolean delivery) {
    return switch (reason) {
      case "worker_lost" -> new Deed("its worker", "was lost");
      case "timeout" -> new Deed(subject(delivery), "timed out");
      case "connection_refused" -> new Deed(subject(delivery), "refused the connection");
      case "connection_reset" -> new Deed(subject(delivery), "reset the connection");
      case "connection_closed" -> new Deed(subject(delivery), "closed the connection");
      case "body_mismatch" -> new Deed(subject(delivery), "sent another body than expected");
      case "aborted_by_destination" -> new Deed(subject(delivery), "asked for no more attempts");
      default -> other(reason, delivery);
    };
  }

  private static Deed other(String reason, boolean delivery) {
    if (delivery && reason.startsWith(ANSWERED)) {
      return new Deed(subject(true), "answered " + reason.substring(ANSWERED.length()));
    }
    String why = reason.isEmpty() ? "" : " with " + reason;
    return new Deed(delivery ? "the delivery" : subject(false), "failed" + why);
  }

  private static String subject(boolean delivery) {
    return delivery ? "the merchant" : "the handler";
  }

  private static String joined(Map<Deed, Integer> deeds, boolean atLeast) {
    List<Map.Entry<Deed, Integer>> most =
        deeds.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .toList();
    List<String> clauses = new ArrayList<>();
    String who = "";
    for (Map.Entry<Deed, Integer> one : most.subList(0, Math.min(MOST, most.size()))) {
      Deed deed = one.getKey();
      String subject = deed.who().equals(who) ? "" : deed.who() + " ";
      String least = atLeast ? "at least " : "";
      clauses.add(subject + deed.what() + " " + least + times(one.getValue()));
      who = deed.who();
    }
    int others = most.stream().skip(MOST).mapToInt(Map.Entry::getValue).sum();
    if (others > 0) {
      clauses.add(Words.counted(others, "attempt") + " failed otherwise");
    }
    return listed(clauses);
  }

  private static String listed(List<String> clauses) {
    return clauses.size() < 2
        ? String.join("", clauses)
        : String.join(", ", clauses.subList(0, clauses.size() - 1)) + " and " + clauses.getLast();
  }
}
