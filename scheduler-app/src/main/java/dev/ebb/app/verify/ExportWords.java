package dev.ebb.app.verify;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Says what a verified export proves, what it holds and what it leaves out. */
final class ExportWords {
  private ExportWords() {}

  static List<String> of(JsonNode export, String key) {
    List<String> lines = new ArrayList<>();
    lines.add("Verified: not a byte was changed since the key " + key + " signed it.");
    lines.add(
        "It proves what the cluster with that key had recorded of the job at %s."
            .formatted(export.path("exportedAt").asString("?")));
    lines.add(
        "It does not prove that the receiver did what its responses say, or what happened later.");
    lines.add("");
    addFacts(export, lines);
    addLimits(export, lines);
    return lines;
  }

  private static void addFacts(JsonNode export, List<String> lines) {
    JsonNode job = export.path("job");
    lines.add("job          " + job.path("id").asString("?"));
    lines.add("state        " + job.path("state").asString("?"));
    lines.add(
        "attempts     %s of %s, %s of them with a record in this file"
            .formatted(
                job.path("attempt").asInt(),
                job.path("maxAttempts").asInt(),
                export.at("/attempts/items").size()));
    lines.add("exported by  " + export.path("exportedBy").asString("?"));
    lines.add("cluster      " + export.path("cluster").asString("not known"));
  }

  private static void addLimits(JsonNode export, List<String> lines) {
    List<String> masked =
        export.path("masked").valueStream().map(word -> maskWords(word.asString())).toList();
    lines.add("masked       " + (masked.isEmpty() ? "nothing" : String.join("; ", masked)));
    if (export.has("erasedAt")) {
      lines.add(
          "erased       payload and records of attempts, at " + export.path("erasedAt").asString());
    }
    if (export.path("attemptsGone").asInt(0) > 0) {
      lines.add("gone         records of " + export.path("attemptsGone") + " attempts, by age");
    }
    if (export.at("/attempts/goneBefore").isString()) {
      lines.add(
          "gone         attempts before "
              + export.at("/attempts/goneBefore").asString()
              + " are no longer kept");
    }
    if (export.at("/attempts/nextCursor").isString()) {
      lines.add("cut          later attempts are in the file of the next export");
    }
    if (export.at("/audit/nextCursor").isString()) {
      lines.add("cut          only the newest entries of the audit are there");
    }
  }

  private static String maskWords(String word) {
    return switch (word) {
      case "secrets" -> "values whose names speak of a secret";
      case "payload" -> "payload, and what attempts sent and got";
      case "card_numbers" -> "numbers of payment cards";
      default -> word;
    };
  }
}
