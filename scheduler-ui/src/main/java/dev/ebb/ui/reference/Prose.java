package dev.ebb.ui.reference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A description, of whose Markdown the contract uses this much: paragraphs, lists and code. All
 * else, HTML included, is text, which the template escapes.
 */
public record Prose(List<Block> blocks) {
  private static final String ITEM = "- ";

  /** A paragraph, or a list; a paragraph is the one line that it has. */
  public record Block(boolean isList, List<List<Span>> lines) {}

  /** Some words. */
  public record Span(String text, boolean isCode) {}

  public static Prose of(String markdown) {
    return new Prose(
        Stream.of(markdown.split("\n\n"))
            .map(String::strip)
            .filter(block -> !block.isEmpty())
            .map(Prose::block)
            .toList());
  }

  public boolean isEmpty() {
    return blocks.isEmpty();
  }

  private static Block block(String text) {
    return text.startsWith(ITEM)
        ? new Block(
            true,
            Arrays.stream(text.substring(ITEM.length()).split("\n" + ITEM))
                .map(Prose::spans)
                .toList())
        : new Block(false, List.of(spans(text)));
  }

  /** Every second part is code; a last mark without its other is text. */
  private static List<Span> spans(String text) {
    String[] parts = text.split("`", -1);
    List<Span> spans = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      boolean isOpen = i % 2 == 1 && i == parts.length - 1;
      String part = isOpen ? "`" + parts[i] : parts[i];
      if (!part.isEmpty()) {
        spans.add(new Span(part, i % 2 == 1 && !isOpen));
      }
    }
    return spans;
  }
}
