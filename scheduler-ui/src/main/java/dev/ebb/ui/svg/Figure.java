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
 * @param links by row and column, the address of the jobs that a cell counts; empty for none
 */
public record Figure(
    String svg,
    String caption,
    List<String> heads,
    List<List<String>> rows,
    List<List<String>> links) {

  Figure(String svg, String caption, List<String> heads, List<List<String>> rows) {
    this(svg, caption, heads, rows, List.of());
  }

  /** The same with links, of as many rows and cells as there are; or without any. */
  Figure leading(List<List<String>> places) {
    return new Figure(svg, caption, heads, rows, places);
  }

  /** The same with more behind its caption. */
  Figure adding(String words) {
    return new Figure(svg, caption + words, heads, rows, links);
  }

  /** Where a cell leads; {@code null} for nowhere. */
  public @Nullable String link(int row, int column) {
    String address = links.isEmpty() ? "" : links.get(row).get(column);
    return address.isEmpty() ? null : address;
  }
}
