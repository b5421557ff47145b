package dev.ebb.db;

import java.util.ArrayList;
import java.util.List;

/** Texts that would become something else, were they not written as text everywhere. */
public final class HostileTexts {
  /** Stands in each of them, and calls a function of this name if a page runs it. */
  public static final String MARK = "EVIL7";

  private HostileTexts() {}

  /** Sixty ways to leave a text and begin something else. */
  public static List<String> all() {
    String[] starts = {"", "\"", "'", "\">", "'>", "-->", "</pre>", "</title>", "</textarea>", "`"};
    String[] ends = {
      "<script>EVIL7()</script>",
      "<img src=x onerror=EVIL7()>",
      "<svg onload=EVIL7()><style>*{x:EVIL7}</style>",
      " onmouseover=EVIL7() style=color:EVIL7 x=\"",
      "javascript:EVIL7()//${EVIL7}{{EVIL7}}<%=EVIL7%>",
      "&lt;script&gt;EVIL7()&amp;lt;\u202E\u2028\u00e9<!--EVIL7"
    };
    List<String> texts = new ArrayList<>();
    for (String start : starts) {
      for (String end : ends) {
        texts.add(start + end);
      }
    }
    return texts;
  }
}
