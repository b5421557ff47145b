package dev.ebb.worker.http;

import dev.ebb.core.http.Masking;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.core5.http.Header;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The headers of a message as the record of an attempt keeps them: with secrets masked and long
 * names and values cut, as many as find room.
 *
 * @param cut whether there were more
 */
record KeptHeaders(List<KeptHeader> headers, boolean cut) {
  private static final int MAX_HEADERS = 50;
  private static final int MAX_NAME = 128;
  private static final int MAX_VALUE = 512;
  private static final int MAX_BYTES = 5 * 1024;

  /** Of {@code {"name":"","value":""},}. */
  private static final int FRAME_BYTES = 23;

  record KeptHeader(String name, String value) {
    int bytes() {
      return FRAME_BYTES + JsonText.bytes(name) + JsonText.bytes(value);
    }
  }

  static KeptHeaders of(List<Header> headers) {
    return of(headers, false);
  }

  /**
   * @param dropped whether there were more than these
   */
  static KeptHeaders of(List<Header> headers, boolean dropped) {
    List<KeptHeader> kept = new ArrayList<>();
    int room = MAX_BYTES;
    for (Header header : headers.subList(0, Math.min(headers.size(), MAX_HEADERS))) {
      KeptHeader candidate =
          new KeptHeader(JsonText.fit(header.getName(), MAX_NAME), value(header));
      if (candidate.bytes() <= room) {
        room -= candidate.bytes();
        kept.add(candidate);
      }
    }
    return new KeptHeaders(List.copyOf(kept), dropped || kept.size() < headers.size());
  }

  private static String value(Header header) {
    String value = header.getValue() == null ? "" : header.getValue();
    String masked = Masking.header(header.getName(), value);
    String kept = JsonText.fit(masked, MAX_VALUE);
    return kept.length() < masked.length() ? kept + "…" : kept;
  }

  void putTo(ObjectNode message) {
    ArrayNode nodes = message.putArray("headers");
    for (KeptHeader header : headers) {
      nodes.addObject().put("name", header.name()).put("value", header.value());
    }
    message.put("headersCut", cut);
  }
}
