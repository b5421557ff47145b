package dev.ebb.worker.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.http.message.LazyLaxLineParser;
import org.jspecify.annotations.Nullable;

/**
 * Reads the heads of the answers on one connection. A head has at most {@value #MAX_BYTES} bytes,
 * counted together with the interim answers (1xx) before it. Unlike the client's own parser, this
 * one does not skip lines until one looks like a status line.
 */
final class HeadParser extends DefaultHttpResponseParser {
  static final int MAX_BYTES = 16 * 1024;

  private long read;

  /**
   * @param limits of a line, and of the number of lines
   */
  HeadParser(Http1Config limits) {
    super(limits, LazyLaxLineParser.INSTANCE, null);
  }

  @Override
  public @Nullable ClassicHttpResponse parse(SessionInputBuffer buffer, InputStream in)
      throws IOException, HttpException {
    long before = taken(buffer) - read;
    ClassicHttpResponse head =
        super.parse(
            buffer,
            new FilterInputStream(in) {
              // More is read only when no whole line is left: all that came belongs to the head.
              @Override
              public int read(byte[] bytes, int offset, int length) throws IOException {
                requireRoom(taken(buffer) - before);
                return in.read(bytes, offset, length);
              }
            });
    read = taken(buffer) - before;
    requireRoom(read);
    if (head != null && head.getCode() >= HttpStatus.SC_SUCCESS) {
      read = 0;
    }
    return head;
  }

  /** How many bytes of the connection were taken out of its buffer. */
  private static long taken(SessionInputBuffer buffer) {
    return buffer.getMetrics().getBytesTransferred() - buffer.length();
  }

  private static void requireRoom(long bytes) throws MessageConstraintException {
    if (bytes > MAX_BYTES) {
      throw new MessageConstraintException("the head is too long");
    }
  }
}
