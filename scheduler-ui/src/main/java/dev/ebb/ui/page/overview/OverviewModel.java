package dev.ebb.ui.page.overview;

import dev.ebb.contract.ErrorGroup;
import dev.ebb.contract.QueueStanding;
import dev.ebb.contract.StatsOverview;
import dev.ebb.ui.page.Pulse;
import dev.ebb.ui.page.Window;
import dev.ebb.ui.svg.JobLinks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the overview shows.
 *
 * @param links to the jobs of the queues that the pulse is of
 * @param drawn how many of the queues the lines over time are the sum of
 * @param groups of dead letters, the largest
 */
public record OverviewModel(
    Window window,
    StatsOverview overview,
    List<Trouble> troubles,
    List<Tile> tiles,
    Pulse pulse,
    JobLinks links,
    int drawn,
    List<Row> queues,
    List<ErrorGroup> groups) {

  /** The jobs that were accepted in a step; empty for nowhere. */
  public String accepted(Pulse.Beat beat) {
    return beat.accepted() == 0 ? "" : links.submitted(beat.at(), window.step());
  }

  /** The jobs that succeeded in a step; empty for nowhere. */
  public String succeeded(Pulse.Beat beat) {
    return beat.completed() == 0 ? "" : links.completed(beat.at(), window.step());
  }

  /**
   * A golden number.
   *
   * @param unit what it counts
   * @param spark how it went, as a drawing
   * @param link to the jobs behind it
   */
  public record Tile(String title, String number, String unit, String spark, String link) {}

  /**
   * A queue.
   *
   * @param spark what it completed, as a drawing; {@code null} for queues that have done little
   * @param gauge how far its limiter is open, as a drawing; {@code null} without a limit
   * @param rate the same in words
   */
  public record Row(
      QueueStanding standing,
      boolean paused,
      @Nullable String spark,
      @Nullable String gauge,
      @Nullable String rate) {}
}
