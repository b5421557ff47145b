package dev.ebb.api.http;

import dev.ebb.api.problem.Refusal;
import dev.ebb.core.Text;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/** JSON as text: one pass over a whole body refuses what no field could hold. */
public final class JsonText {
  static final int MAX_DEPTH = 32;
  static final int MAX_NUMBER_LENGTH = 100;
  static final int MAX_NAME_LENGTH = 1000;
  static final int MAX_MEMBERS = 10_000;

  /** As many as fit into the 64 KiB of a default body. */
  static final int MAX_ELEMENTS = 32_768;

  private static final Pattern LARGE_EXPONENT = Pattern.compile("[eE][-+]?0*[1-9][0-9]{2}");

  private static final JsonFactory FACTORY = factory();

  private JsonText() {}

  /** The limits are those of {@link #check}, so that each refusal names its rule and its place. */
  private static JsonFactory factory() {
    StreamReadConstraints limits =
        StreamReadConstraints.builder()
            .maxNestingDepth(Integer.MAX_VALUE)
            .maxNumberLength(Integer.MAX_VALUE)
            .maxStringLength(Integer.MAX_VALUE)
            .maxNameLength(Integer.MAX_VALUE)
            .build();
    return JsonFactory.builder()
        .streamReadConstraints(limits)
        // Senders choose the names: remembering them would be a leak.
        .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
        .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
        .build();
  }

  /** A parser without limits: what was stored once is read whatever it is. */
  public static JsonParser parser(String text) {
    return FACTORY.createParser(ObjectReadContext.empty(), text);
  }

  /** Refuses text that is not exactly one JSON value within every limit. */
  static void check(String text, int maxDepth) {
    if (text.isBlank()) {
      throw Refusal.json("", "is empty, and must be JSON");
    }
    try (JsonParser parser = parser(text)) {
      Deque<Set<String>> names = new ArrayDeque<>();
      parser.nextToken();
      do {
        checkToken(parser, names, maxDepth);
        parser.nextToken();
      } while (!names.isEmpty());
      if (parser.currentToken() != null) {
        throw Refusal.json("", "must be one JSON value, and more follows");
      }
    } catch (JacksonException e) {
      throw Refusal.json("", "is not valid JSON" + place(e.getLocation()));
    }
  }

  private static String place(TokenStreamLocation at) {
    return at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
  }

  private static void checkToken(JsonParser parser, Deque<Set<String>> names, int maxDepth) {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw Refusal.json("", "is not valid JSON: it ends too early");
    }
    checkSize(parser);
    if (token.isStructStart()) {
      names.push(new HashSet<>());
      require(names.size() <= maxDepth, parser, "must not be nested deeper than " + maxDepth);
    } else if (token.isStructEnd()) {
      names.pop();
    } else if (token == JsonToken.PROPERTY_NAME) {
      checkName(parser);
      require(names.element().add(parser.currentName()), parser, "must not be given twice");
    } else if (token == JsonToken.VALUE_STRING) {
      checkText(parser, parser.getString());
    } else if (token.isNumeric()) {
      require(
          parser.getStringLength() <= MAX_NUMBER_LENGTH,
          parser,
          "must be a number of at most " + MAX_NUMBER_LENGTH + " characters");
    }
  }

  /** Whether a number of the text has an exponent above 99, and so may be long when written out. */
  public static boolean hasLargeExponent(String text) {
    try (JsonParser parser = parser(text)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.VALUE_NUMBER_FLOAT
            && LARGE_EXPONENT.matcher(parser.getString()).find()) {
          return true;
        }
      }
      return false;
    }
  }

  /** Every value and every name counts in the container that it stands in. */
  private static void checkSize(JsonParser parser) {
    TokenStreamContext container = parser.streamReadContext();
    int most = container.inObject() ? MAX_MEMBERS : MAX_ELEMENTS;
    if (container.getEntryCount() > most) {
      String entries = container.inObject() ? " members" : " elements";
      throw Refusal.json(above(parser), "must have at most " + most + entries);
    }
  }

  private static void checkName(JsonParser parser) {
    if (parser.currentName().length() > MAX_NAME_LENGTH) {
      throw Refusal.json(
          above(parser), "must have names of at most " + MAX_NAME_LENGTH + " characters");
    }
    checkText(parser, parser.currentName());
  }

  /** The pointer to the container that the token stands in. */
  private static String above(JsonParser parser) {
    return parser.streamReadContext().getParent().pathAsPointer().toString();
  }

  private static void checkText(JsonParser parser, String text) {
    require(text.indexOf('\0') < 0, parser, "must not contain NUL");
    require(
        text.codePoints().noneMatch(Text::isLoneSurrogate),
        parser,
        "must not contain a lone surrogate");
  }

  private static void require(boolean holds, JsonParser parser, String rule) {
    if (!holds) {
      throw Refusal.json(parser.streamReadContext().pathAsPointer().toString(), rule);
    }
  }

  /** Whether text is exactly one JSON value, whatever its size. */
  public static boolean isJson(String text) {
    try (JsonParser parser = parser(text)) {
      if (parser.nextToken() == null) {
        return false;
      }
      parser.skipChildren();
      return parser.nextToken() == null;
    } catch (JacksonException e) {
      return false;
    }
  }
}
