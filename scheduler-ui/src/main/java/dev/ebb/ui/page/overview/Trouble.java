package dev.ebb.ui.page.overview;

import dev.ebb.contract.Finding;
import dev.ebb.ui.words.Url;
import java.util.Objects;
import java.util.function.BinaryOperator;

/**
 * Something that is wrong now, with the page where it can be dealt with.
 *
 * @param link to that page, named by {@code linkText}
 */
public record Trouble(Finding finding, String link, String linkText) {

  /**
   * Of a finding.
   *
   * @param link the address of a page of the dashboard, by its path and a search
   */
  static Trouble of(Finding finding, BinaryOperator<String> link) {
    String queue = Objects.requireNonNullElse(finding.queue(), "");
    return switch (finding.code()) {
      case "no_worker",
          "workers_draining",
          "node_lost",
          "nodes_lost",
          "network_suspected",
          "networks_suspected",
          "secrets_key_missing",
          "secrets_keys_missing",
          "clock_skew",
          "statistics_behind" ->
          new Trouble(finding, link.apply("/nodes", ""), "Nodes");
      case "queue_paused", "rate_cut" ->
          new Trouble(finding, link.apply("/queues/" + Url.segment(queue), ""), "Queue");
      case "circuit_open", "destination_disabled", "certificate_ends" ->
          new Trouble(
              finding, link.apply("/destinations/" + Url.segment(queue), ""), "Destination");
      case "circuits_open", "certificates_end" ->
          new Trouble(finding, link.apply("/destinations", ""), "Destinations");
      case "queues_paused", "rates_cut" ->
          new Trouble(finding, link.apply("/queues", ""), "Queues");
      case "queue_late" -> jobs(finding, link, "queue:" + queue + " state:due", "Due jobs");
      case "queues_late" -> jobs(finding, link, "state:due", "Due jobs");
      case "attempts_failing" -> jobs(finding, link, "state:retrying,dead", "Failing jobs");
      case "dead_letters" -> new Trouble(finding, link.apply("/dead", ""), "Dead letters");
      default -> new Trouble(finding, link.apply("/database", ""), "Database");
    };
  }

  private static Trouble jobs(
      Finding finding, BinaryOperator<String> link, String search, String text) {
    return new Trouble(finding, link.apply("/jobs", search), text);
  }
}
