package dev.ebb.worker.http;

import java.util.Locale;

/**
 * What was wrong with an answer that counts all the same. It stands in the record of the attempt,
 * and its connection is not used again.
 */
enum Fault {
  HEAD_CUT("the response headers exceed 64 KiB: their end and the body were not read"),
  LINE_CUT("a line of the response headers exceeds 16 KiB and was cut"),
  HEADER_UNREADABLE("a line among the response headers is not a header and was left out"),
  VERSION_UNKNOWN("the status line names an HTTP version other than 1.0 and 1.1"),
  LENGTH_UNREADABLE("Content-Length is not one number"),
  CODING_UNKNOWN("Transfer-Encoding is something other than chunked"),
  BODY_TRUNCATED("the connection ended before the body did"),
  BODY_MALFORMED("the body is not chunked as the response headers say"),
  BODY_TIMEOUT("the body did not end in time");

  private final String message;

  Fault(String message) {
    this.message = message;
  }

  /** The name that the record bears. */
  String reason() {
    return name().toLowerCase(Locale.ROOT);
  }

  String message() {
    return message;
  }
}
