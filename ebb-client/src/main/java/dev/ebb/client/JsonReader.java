package dev.ebb.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads JSON as strictly as the server: no duplicate keys, 500 levels, numbers of 1,000 digits. */
final class JsonReader {
  private static final int MOST_LEVELS = 500;

  /** Around a payload, in an answer of the server's. */
  private static final int LEVELS_AROUND = 10;

  private static final int LONGEST_NUMBER = 1000;
  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?");
  private static final String ESCAPES = "\"\\/bfnrt";
  private static final String ESCAPED = "\"\\/\b\f\n\r\t";

  private final String text;
  private final int mostLevels;
  private int at;
  private int level;
  private boolean readable = true;

  private JsonReader(String text, int mostLevels) {
    this.text = text;
    this.mostLevels = mostLevels;
  }

  /** Reads one value as RFC 8259 has it; an {@link IllegalArgumentException} says what is wrong. */
  static Json parse(String text) {
    return new JsonReader(text, MOST_LEVELS).read();
  }

  /** As {@link #parse}, of an answer, in which there may be a payload of the deepest. */
  static Json parseAnswer(String text) {
    return new JsonReader(text, MOST_LEVELS + LEVELS_AROUND).read();
  }

  /** Whether PostgreSQL can take every string out of an object: none has a NUL or half a pair. */
  static boolean isReadable(String text) {
    JsonReader reader = new JsonReader(text, MOST_LEVELS);
    reader.read();
    return reader.readable;
  }

  private Json read() {
    space();
    Json value = value();
    space();
    if (at < text.length()) {
      throw broken("something follows the value");
    }
    return value;
  }

  private Json value() {
    int start = at;
    Object value =
        switch (peek()) {
          case '{' -> object();
          case '[' -> list();
          case '"' -> string();
          case 't' -> word("true", true);
          case 'f' -> word("false", false);
          case 'n' -> word("null", null);
          default -> number();
        };
    return new Json(text, start, at, value);
  }

  private Map<String, Json> object() {
    Map<String, Json> fields = new LinkedHashMap<>();
    enter();
    if (!leaves('}')) {
      do {
        space();
        String name = string();
        space();
        take(':');
        space();
        if (fields.put(name, value()) != null) {
          throw broken("a key is there twice");
        }
      } while (goesOn('}'));
    }
    level--;
    return fields;
  }

  private List<Json> list() {
    List<Json> elements = new ArrayList<>();
    enter();
    if (!leaves(']')) {
      do {
        space();
        elements.add(value());
      } while (goesOn(']'));
    }
    level--;
    return elements;
  }

  private void enter() {
    at++;
    if (++level > mostLevels) {
      throw broken("it is nested too deeply");
    }
    space();
  }

  private boolean leaves(char end) {
    if (peek() != end) {
      return false;
    }
    at++;
    return true;
  }

  private boolean goesOn(char end) {
    space();
    if (leaves(end)) {
      return false;
    }
    take(',');
    return true;
  }

  private String string() {
    take('"');
    StringBuilder words = new StringBuilder();
    boolean escaped = false;
    for (char c = next(); c != '"'; c = next()) {
      if (c < ' ') {
        throw broken("a string has a control character");
      }
      escaped |= c == '\\';
      words.append(c == '\\' ? escape() : c);
    }
    readable &= !escaped || Text.isStorable(words.toString());
    return words.toString();
  }

  private char escape() {
    char c = next();
    int place = ESCAPES.indexOf(c);
    if (place >= 0) {
      return ESCAPED.charAt(place);
    }
    if (c != 'u') {
      throw broken("a string has an unknown escape");
    }
    int code = 0;
    for (int i = 0; i < 4; i++) {
      char digit = next();
      int value = digit < 128 ? Character.digit(digit, 16) : -1;
      if (value < 0) {
        throw broken("a string has an unknown escape");
      }
      code = code * 16 + value;
    }
    return (char) code;
  }

  private String number() {
    Matcher number = NUMBER.matcher(text).region(at, text.length());
    if (!number.lookingAt()) {
      throw broken("a value is missing");
    }
    if (number.end() - at > LONGEST_NUMBER) {
      throw broken("a number is too long");
    }
    at = number.end();
    return number.group();
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw broken("a value is missing");
    }
    at += word.length();
    return value;
  }

  private void space() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw broken("it ends too early");
    }
    return text.charAt(at);
  }

  private char next() {
    char c = peek();
    at++;
    return c;
  }

  private void take(char expected) {
    if (next() != expected) {
      throw broken("'" + expected + "' is missing");
    }
  }

  private IllegalArgumentException broken(String why) {
    return new IllegalArgumentException(why + ", at character " + at);
  }
}
