package dev.ebb.ui.svg;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chart, with what says the same without it.
 *
 * @param svg made of numbers and escaped text alone
 * @param caption what it shows, in words
 * @param heads of the table's columns
 * @param rows of the table, as many cells each
 * @param series its numbers over time; {@code null} if it shows something else
 */
public record Figure(
    String svg,
    String caption,
    List<String> heads,
    List<List<String>> rows,
    @Nullable Series series) {

  Figure(String svg, String caption, List<String> heads, List<List<String>> rows) {
    this(svg, caption, heads, rows, null);
  }

  Figure with(Series numbers) {
    return new Figure(svg, caption, heads, rows, numbers);
  }
}
