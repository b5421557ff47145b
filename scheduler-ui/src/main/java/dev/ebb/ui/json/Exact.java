package dev.ebb.ui.json;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

/** A JSON value as indented text, with every digit that its sender wrote. */
@JsonDeserialize(using = Exact.Reader.class)
public record Exact(String text) {
  /** That of a text of JSON. */
  public static Exact read(String json) {
    return Json.MAPPER.readValue(json, Exact.class);
  }

  /** That of a value. */
  public static Exact of(Object value) {
    return read(Json.text(value));
  }

  /** Copies tokens, so that no number passes through a type that rounds it. */
  static final class Reader extends ValueDeserializer<Exact> {
    @Override
    public Exact deserialize(JsonParser parser, DeserializationContext context) {
      StringBuilder text = new StringBuilder();
      copy(parser, text, "\n");
      return new Exact(text.toString());
    }

    private static void copy(JsonParser parser, StringBuilder text, String indent) {
      switch (parser.currentToken()) {
        case START_OBJECT -> copyAll(parser, text, indent, '{', '}');
        case START_ARRAY -> copyAll(parser, text, indent, '[', ']');
        case VALUE_STRING -> quote(parser.getString(), text);
        default -> text.append(parser.getString());
      }
    }

    private static void copyAll(
        JsonParser parser, StringBuilder text, String indent, char first, char last) {
      text.append(first);
      boolean empty = true;
      for (JsonToken next = parser.nextToken();
          next != JsonToken.END_OBJECT && next != JsonToken.END_ARRAY;
          next = parser.nextToken()) {
        text.append(empty ? "" : ",").append(indent).append("  ");
        empty = false;
        if (next == JsonToken.PROPERTY_NAME) {
          quote(parser.currentName(), text);
          text.append(": ");
          parser.nextToken();
        }
        copy(parser, text, indent + "  ");
      }
      text.append(empty ? "" : indent).append(last);
    }

    private static void quote(String string, StringBuilder text) {
      text.append('"');
      JsonStringEncoder.getInstance().quoteAsString(string, text);
      text.append('"');
    }
  }
}
