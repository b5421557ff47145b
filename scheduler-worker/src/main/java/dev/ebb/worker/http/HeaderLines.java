package dev.ebb.worker.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.message.BasicHeader;

/**
 * Makes headers of the lines of a head. It keeps as many as find room, and of the rest those that
 * say where the body ends, whether the connection lives, and what the outcome needs.
 */
final class HeaderLines {
  private static final int MAX_HEADERS = 100;
  private static final int MAX_CHARS = 24 * 1024;
  private static final int MAX_NEEDED = 32;
  private static final int MAX_NEEDED_VALUE = 1024;
  private static final Set<String> NEEDED =
      Set.of(
          "connection",
          "content-length",
          "content-type",
          "date",
          "keep-alive",
          "proxy-connection",
          "retry-after",
          "transfer-encoding");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

  private final Findings findings;
  private final List<Header> headers = new ArrayList<>();
  private int room = MAX_CHARS;
  private int needed;

  /** The name of the last line, empty if it was none; its value may go on in the next. */
  private String name = "";

  private final StringBuilder value = new StringBuilder();

  HeaderLines(Findings findings) {
    this.findings = findings;
  }

  /**
   * @param cut whether the line was longer
   */
  void add(CharSequence line, boolean cut) {
    if (cut) {
      findings.add(Fault.LINE_CUT);
    }
    String text = line.toString();
    if (text.charAt(0) == ' ' || text.charAt(0) == '\t') {
      fold(text.strip());
      return;
    }
    keep();
    int colon = text.indexOf(':');
    String before = colon < 0 ? "" : text.substring(0, colon);
    name = before.stripTrailing();
    if (!NAME.matcher(name).matches()) {
      name = "";
      findings.add(Fault.HEADER_UNREADABLE);
      return;
    }
    if (name.length() < before.length()) {
      findings.odd();
    }
    value.append(text, colon + 1, text.length());
  }

  private void fold(String more) {
    findings.odd();
    if (name.isEmpty()) {
      findings.add(Fault.HEADER_UNREADABLE);
      return;
    }
    int left = HeadParser.MAX_LINE - value.length() - 1;
    value.append(' ').append(more, 0, Math.clamp(left, 0, more.length()));
    if (left < more.length()) {
      findings.add(Fault.LINE_CUT);
    }
  }

  private void keep() {
    if (!name.isEmpty()) {
      keep(name, trimmed(value.toString()));
    }
    name = "";
    value.setLength(0);
  }

  private void keep(String name, String value) {
    if (value.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7f)) {
      findings.odd();
    }
    int chars = name.length() + value.length();
    if (headers.size() < MAX_HEADERS && chars <= room) {
      room -= chars;
      headers.add(new BasicHeader(name, value));
      return;
    }
    findings.dropHeaders();
    if (!NEEDED.contains(name.toLowerCase(Locale.ROOT))) {
      return;
    }
    if (value.length() > MAX_NEEDED_VALUE || needed == MAX_NEEDED) {
      findings.odd();
    } else {
      needed++;
      headers.add(new BasicHeader(name, value));
    }
  }

  /** Without the spaces and tabs around it, which are the only ones that HTTP takes for space. */
  private static String trimmed(String value) {
    int from = 0;
    int to = value.length();
    while (from < to && isSpace(value.charAt(from))) {
      from++;
    }
    while (from < to && isSpace(value.charAt(to - 1))) {
      to--;
    }
    return value.substring(from, to);
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }

  Header[] toArray() {
    keep();
    return headers.toArray(Header[]::new);
  }
}
