package dev.ebb.db.json;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.filter.FilteringParserDelegate;
import tools.jackson.core.filter.JsonPointerBasedFilter;
import tools.jackson.core.filter.TokenFilter;
import tools.jackson.core.json.JsonFactory;

/** Single values of JSON that others sent. */
public final class JsonValues {
  private static final JsonFactory JSON = new JsonFactory();

  /** Some servers write it, and readers may pass over it (RFC 8259, section 8.1). */
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private JsonValues() {}

  /**
   * The string at that place, or the number, boolean or null as it stands there; {@code null} if
   * the text is not JSON, or has nothing or no such value there.
   *
   * @param pointer a JSON Pointer (RFC 6901)
   */
  public static @Nullable String at(String json, String pointer) {
    String text = json.indexOf(BYTE_ORDER_MARK) == 0 ? json.substring(1) : json;
    try (JsonParser all = JSON.createParser(ObjectReadContext.empty(), text)) {
      JsonPointerBasedFilter filter = new JsonPointerBasedFilter(JsonPointer.compile(pointer));
      JsonParser one =
          new FilteringParserDelegate(all, filter, TokenFilter.Inclusion.ONLY_INCLUDE_ALL, false);
      JsonToken token = one.nextToken();
      String value = token != null && token.isScalarValue() ? one.getString() : null;
      while (all.nextToken() != null) {
        // What follows must be JSON as well.
      }
      return value;
    } catch (JacksonException _) {
      return null;
    }
  }
}
