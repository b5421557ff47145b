package dev.ebb.api.http;

import tools.jackson.core.JsonParser;

/** A copy of a JSON text, to the byte but for the values that are replaced on the way. */
public final class JsonCopy implements AutoCloseable {
  private final String text;
  private final JsonParser parser;
  private final StringBuilder copy = new StringBuilder();
  private int copied;

  public JsonCopy(String text) {
    this.text = text;
    this.parser = JsonText.parser(text);
  }

  /** Goes through the text; its owner is this copy. */
  public JsonParser parser() {
    return parser;
  }

  /** Puts another JSON text in the place of the value at which the parser stands. */
  public void replace(String json) {
    int start = Math.toIntExact(parser.currentTokenLocation().getCharOffset());
    parser.skipChildren();
    parser.finishToken();
    copy.append(text, copied, start).append(json);
    copied = Math.toIntExact(parser.currentLocation().getCharOffset());
  }

  /** The copy, with all that follows what was replaced last. */
  public String finish() {
    return copy.append(text, copied, text.length()).toString();
  }

  @Override
  public void close() {
    parser.close();
  }
}
