package dev.ebb.worker.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.ParseException;
import org.apache.hc.core5.http.io.HttpMessageParser;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;

/**
 * Reads the heads of the answers on one connection, as leniently as the status allows: it is the
 * merchant's word, and what follows it cannot take it back. A head has at most {@value #MAX_BYTES}
 * bytes, counted together with the interim answers (1xx) before it, and a line at most {@value
 * #MAX_LINE}. What is longer is cut, and {@link Findings} say so. Only the end of the connection
 * within the head leaves an answer without its status.
 */
final class HeadParser implements HttpMessageParser<ClassicHttpResponse> {
  static final int MAX_BYTES = 64 * 1024;
  static final int MAX_LINE = 16 * 1024;
  private static final int MAX_EMPTY_LINES = 10;
  private static final Pattern STATUS_LINE =
      Pattern.compile(
          "[ \t]*HTTP/([0-9]+(?:\\.[0-9]+)?)[ \t]+([1-9][0-9]{2})(?:[ \t].*|)", Pattern.DOTALL);

  /** Bytes of this head that may still be read. */
  private int room = MAX_BYTES;

  /** How the reading of a line ended. */
  private enum End {
    LINE,
    CLOSED,
    NO_ROOM
  }

  @Override
  public ClassicHttpResponse parse(SessionInputBuffer buffer, InputStream in)
      throws IOException, HttpException {
    Findings findings = Exchange.findings();
    Source source = new Source(buffer, in, findings);
    ClassicHttpResponse head = statusLine(source, findings);
    boolean last = head.getCode() >= HttpStatus.SC_SUCCESS;
    HeaderLines headers = new HeaderLines(findings);
    while (source.read() && !source.line.isEmpty()) {
      headers.add(source.line, source.cut);
    }
    if (source.end == End.NO_ROOM && !last) {
      throw new MessageConstraintException("the interim answers are too long");
    }
    head.setHeaders(headers.toArray());
    if (last) {
      room = MAX_BYTES;
    }
    return head;
  }

  private static ClassicHttpResponse statusLine(Source source, Findings findings)
      throws IOException, HttpException {
    for (int lines = 0; lines <= MAX_EMPTY_LINES; lines++) {
      source.read();
      if (!source.line.isEmpty() || source.end == End.NO_ROOM) {
        return head(source, findings);
      }
    }
    throw new ParseException("no status line");
  }

  private static ClassicHttpResponse head(Source source, Findings findings)
      throws IOException, HttpException {
    Matcher line = STATUS_LINE.matcher(source.line);
    if (source.line.isEmpty()) {
      throw new MessageConstraintException("the interim answers are too long");
    }
    if (!line.matches()) {
      throw new ParseException("no status line");
    }
    ClassicHttpResponse head = new BasicClassicHttpResponse(Integer.parseInt(line.group(2)));
    boolean current = line.group(1).equals("1.1");
    head.setVersion(current ? HttpVersion.HTTP_1_1 : HttpVersion.HTTP_1_0);
    if (!current && !line.group(1).equals("1.0")) {
      findings.add(Fault.VERSION_UNKNOWN);
    }
    if (source.cut) {
      findings.add(Fault.LINE_CUT);
    }
    return head;
  }

  /** The lines of one head. */
  private final class Source {
    private final SessionInputBuffer buffer;
    private final InputStream in;
    private final Findings findings;
    private final StringBuilder line = new StringBuilder();
    private boolean cut;
    private End end = End.LINE;

    Source(SessionInputBuffer buffer, InputStream in, Findings findings) {
      this.buffer = buffer;
      this.in = in;
      this.findings = findings;
    }

    /** Reads the next line; false if there was no room for its end. */
    boolean read() throws IOException {
      if (end == End.NO_ROOM) {
        return false;
      }
      line.setLength(0);
      cut = false;
      end = end();
      if (end == End.CLOSED) {
        throw closed();
      }
      if (end == End.NO_ROOM) {
        findings.add(Fault.HEAD_CUT);
        findings.dropHeaders();
      }
      if (!line.isEmpty() && line.charAt(line.length() - 1) == '\r') {
        line.setLength(line.length() - 1);
      }
      return end == End.LINE;
    }

    private IOException closed() {
      return findings.isAnswering()
          ? new ConnectionClosedException("closed within the head")
          : new NoHttpResponseException("closed without an answer");
    }

    private End end() throws IOException {
      for (; room > 0; room--) {
        int next = buffer.read(in);
        if (next < 0) {
          return End.CLOSED;
        }
        findings.answering();
        if (next == '\n') {
          room--;
          return End.LINE;
        }
        if (line.length() < MAX_LINE) {
          line.append((char) next);
        } else {
          cut = true;
        }
      }
      return End.NO_ROOM;
    }
  }
}
