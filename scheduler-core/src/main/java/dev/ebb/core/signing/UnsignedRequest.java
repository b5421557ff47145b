package dev.ebb.core.signing;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.time.Instant;

/** A request that is to be signed, as it is sent. */
public final class UnsignedRequest {
  private final String id;
  private final Instant at;
  private final String nonce;
  private final String method;
  private final URI url;
  private final byte[] body;

  /**
   * A request of an attempt.
   *
   * @param id the header {@code webhook-id}
   * @param at the attempt's time
   * @param nonce 32 hexadecimal digits, new for each attempt
   */
  public UnsignedRequest(String id, Instant at, String nonce, String method, URI url, byte[] body) {
    this.id = id;
    this.at = at;
    this.nonce = nonce;
    this.method = method;
    this.url = url;
    this.body = body;
  }

  public String id() {
    return id;
  }

  public Instant at() {
    return at;
  }

  String nonce() {
    return nonce;
  }

  String method() {
    return method;
  }

  /** The bytes that are sent. */
  public byte[] body() {
    return body;
  }

  /** What the first line of the request names: the path, with the query. */
  String target() {
    String path = url.getRawPath();
    String query = url.getRawQuery();
    return (path == null || path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query);
  }

  byte[] bodyBetween(byte[] head, byte[] tail) {
    ByteArrayOutputStream whole =
        new ByteArrayOutputStream(head.length + body.length + tail.length);
    whole.writeBytes(head);
    whole.writeBytes(body);
    whole.writeBytes(tail);
    return whole.toByteArray();
  }
}
