package dev.ebb.core.http;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.JsonPointer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What of a response's body is tested. */
public sealed interface BodyPart {
  /** All of it. */
  BodyPart WHOLE = new Whole();

  /**
   * Its text; {@code null} if the body has none.
   *
   * @param json reads JSON
   */
  @Nullable String of(String body, Reader json);

  /** Reads a value of a JSON text. */
  @FunctionalInterface
  interface Reader {
    /**
     * The string at that place, or the number, boolean or null as it stands there; {@code null} if
     * the text is not JSON, or has nothing or no such value there.
     */
    @Nullable String at(String json, String pointer);
  }

  /** All of it. */
  record Whole() implements BodyPart {
    @Override
    public String of(String body, Reader json) {
      return body;
    }
  }

  /**
   * A string, number, boolean or null of a JSON body.
   *
   * @param pointer as {@link JsonPointer} says
   */
  record Value(String pointer) implements BodyPart {
    public Value {
      JsonPointer.require(pointer, "pointer");
    }

    @Override
    public @Nullable String of(String body, Reader json) {
      return json.at(body, pointer);
    }
  }

  /**
   * The text of the first element of this name in an XML body, without white space around it, as it
   * stands there or in a CDATA section. Entities are left as they are.
   *
   * @param name with its prefix, 1 to 100 letters, digits, _, -, . and :
   */
  record Element(String name) implements BodyPart {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.:-]{0,99}");
    private static final String CDATA = "<![CDATA[";
    private static final String CDATA_END = "]]>";

    public Element {
      require(NAME.matcher(name).matches(), "element", "must be the name of an XML element");
    }

    @Override
    public @Nullable String of(String body, Reader json) {
      int start = contentStart(body);
      int end = start < 0 ? -1 : body.indexOf("</" + name, start);
      if (end < 0) {
        return null;
      }
      String text = body.substring(start, end).strip();
      if (text.startsWith(CDATA) && text.endsWith(CDATA_END)) {
        return text.substring(CDATA.length(), text.length() - CDATA_END.length()).strip();
      }
      return text.indexOf('<') < 0 ? text : null;
    }

    /** Behind its start tag, -1 if it has none. */
    private int contentStart(String body) {
      String open = "<" + name;
      for (int at = body.indexOf(open); at >= 0; at = body.indexOf(open, at + 1)) {
        int next = at + open.length();
        if (next < body.length() && "> \t\r\n".indexOf(body.charAt(next)) >= 0) {
          return body.indexOf('>', next) + 1;
        }
      }
      return -1;
    }
  }
}
