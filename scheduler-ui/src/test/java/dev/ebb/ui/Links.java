package dev.ebb.ui;

import java.util.List;
import java.util.regex.Pattern;

/** The links of a page, as a reader without script follows them. */
final class Links {
  private static final Pattern LINK =
      Pattern.compile("(?s)<a\\b[^>]*?\\shref=\"([^\"]*)\"[^>]*>(.*?)</a>");

  private Links() {}

  /** A link with what it says. */
  record Link(String href, String text) {}

  /** All links of a page's own part, in their order. */
  static List<Link> of(String html) {
    String own = html.replaceFirst("(?s).*<main\\b", "<main");
    return LINK.matcher(own)
        .results()
        .map(link ->
            new Link(
                link.group(1).replace("&amp;", "&"),
                link.group(2).replaceAll("(?s)<[^>]*>", "").strip()))
        .toList();
  }

  /** Where the first link leads whose text matches. */
  static String named(String html, String pattern) {
    return of(html).stream()
        .filter(link -> link.text().matches(pattern))
        .map(Link::href)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no link " + pattern + " among " + of(html)));
  }
}
