package dev.ebb.worker.http;

import dev.ebb.core.http.Verdict;
import dev.ebb.core.job.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.TruncatedChunkException;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its answer, on a virtual thread of its own. Any thread can read at any time how
 * far an exchange has come, also one that was aborted.
 *
 * <p>Once the head is there, the answer counts however its body ends: what that means, its rules
 * say.
 */
final class Exchange {
  /** A connection whose answer's body is longer is given up. */
  static final int MAX_BODY_BYTES = 64 * 1024;

  /**
   * Of the body's beginning: its text, and a byte more that tells a longer body from a whole one.
   */
  private static final int RECORDED_BODY_BYTES = BodyText.MAX_BYTES + 1;

  /** What rules say of a body is about its beginning. */
  static final int MAX_TESTED_BYTES = 16 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
  private static final String ATTRIBUTE = "ebb.exchange";

  /** For what the client calls in the thread of the exchange, without its context. */
  private static final ScopedValue<Exchange> CURRENT = ScopedValue.newInstance();

  private static final int CHUNK_BYTES = 4 * 1024;

  private final CloseableHttpClient client;
  private final HttpUriRequestBase request;
  private final FutureTask<Response> answer = new FutureTask<>(this::send);
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private final boolean testsBody;
  private final @Nullable TlsIdentity identity;
  private final ExchangeTimes times = new ExchangeTimes();
  private final Findings findings = new Findings();

  private volatile List<Header> sentHeaders;
  private volatile @Nullable Response head;
  private volatile int bodyBytes;
  private volatile @Nullable Peer peer;
  private volatile @Nullable Verdict verdict;

  /**
   * An exchange that has not begun.
   *
   * @param testsBody whether the outcome depends on the body
   * @param identity of its destination; {@code null} for the usual TLS
   */
  Exchange(
      CloseableHttpClient client,
      HttpUriRequestBase request,
      boolean testsBody,
      @Nullable TlsIdentity identity) {
    this.client = client;
    this.request = request;
    this.testsBody = testsBody;
    this.identity = identity;
    this.sentHeaders = List.of(request.getHeaders());
  }

  static Exchange of(HttpContext context) {
    if (context.getAttribute(ATTRIBUTE) instanceof Exchange exchange) {
      return exchange;
    }
    throw new IllegalStateException("a request without its exchange");
  }

  /** What comes to light in the exchange of this thread. */
  static Findings findings() {
    return CURRENT.get().findings;
  }

  /** The destination of the exchange of this thread asks for a client certificate. */
  static void certificateWanted() {
    if (CURRENT.isBound()) {
      findings().certificateWanted();
    }
  }

  /** The destination of the exchange of this thread is shown its client certificate. */
  static void certificateShown() {
    if (CURRENT.isBound()) {
      findings().certificateShown();
    }
  }

  /** The addresses are known of the host to which the exchange of this thread connects, if any. */
  static void lookedUp() {
    if (CURRENT.isBound()) {
      CURRENT.get().times.lookedUp();
    }
  }

  @Nullable TlsIdentity identity() {
    return identity;
  }

  /** The exchange of this thread is about to be written to that end. */
  static void reached(Peer peer) {
    CURRENT.get().peer = peer;
  }

  /** The client is about to begin TLS: the connection below it stands. */
  void securing(Socket socket) {
    peer = Peer.of(socket.getRemoteSocketAddress(), null);
    times.securing();
  }

  /** The client is about to write these headers: the connection stands. */
  void sending(Header... headers) {
    times.connected();
    findings.sending();
    sentHeaders = List.of(headers);
  }

  /**
   * Sends the request and waits for the whole answer.
   *
   * @param limit for everything together; then the exchange is aborted, and if there is no status
   *     yet, the outcome is a timeout
   * @param classifier makes an outcome of an answer, of which the end may be missing
   * @throws InterruptedException when this thread is interrupted; the exchange is aborted. What the
   *     destination has confirmed by then is an outcome all the same
   */
  Outcome run(Duration limit, Function<Response, Verdict> classifier) throws InterruptedException {
    Thread.ofVirtual().name("ebb-exchange").start(answer);
    try {
      return decided(classifier.apply(answer.get(limit.toNanos(), TimeUnit.NANOSECONDS)));
    } catch (TimeoutException _) {
      Response seen = cutOff();
      return seen == null ? NoAnswer.timeout() : decided(classifier.apply(seen));
    } catch (InterruptedException interrupted) {
      Response seen = cutOff();
      Verdict verdict = seen == null ? null : classifier.apply(seen);
      if (verdict != null && verdict.outcome() instanceof Outcome.Completed) {
        return decided(verdict);
      }
      throw interrupted;
    } catch (ExecutionException failed) {
      return broken(failed.getCause());
    } catch (RuntimeException defect) {
      return unreadable(defect);
    } finally {
      times.ended();
      answer.cancel(true);
      request.cancel();
    }
  }

  private Outcome decided(Verdict verdict) {
    this.verdict = verdict;
    return verdict.outcome();
  }

  /** The answer as far as it came, if its head did. */
  private @Nullable Response cutOff() {
    if (head != null && !answer.isDone()) {
      findings.addOfBody(Fault.BODY_TIMEOUT);
    }
    return response();
  }

  private Outcome broken(@Nullable Throwable cause) {
    return switch (cause) {
      case IOException broken -> NoAnswer.of(broken, findings);
      case RuntimeException defect -> unreadable(defect);
      case Error error -> throw error;
      case null, default -> throw new IllegalStateException(cause);
    };
  }

  /** The client checks some of what it reads only by exceptions that are meant for defects. */
  private Outcome unreadable(RuntimeException defect) {
    if (!times.isConnected()) {
      throw defect;
    }
    LOG.debug("An answer broke its reader.", defect);
    return NoAnswer.unreadable();
  }

  private Response send() throws IOException {
    try {
      HttpClientContext context = HttpClientContext.create();
      context.setAttribute(ATTRIBUTE, this);
      context.setUserToken(identity);
      ClassicHttpResponse response =
          ScopedValue.where(CURRENT, this).call(() -> client.executeOpen(null, request, context));
      times.answered();
      List<Header> headers = List.of(response.getHeaders());
      Response seen = Response.head(response.getCode(), headers, findings.areHeadersDropped());
      head = seen;
      // The client would keep them for as long as the body takes.
      response.setHeaders();
      boolean whole = readToItsEnd(response.getEntity());
      return seen.withBody(body.toByteArray(), bodyBytes, !whole, testsBody);
    } finally {
      // A connection whose answer was read to its end is back in the pool by now; any other is
      // closed at once. Closing the response instead would read the rest of it first.
      request.cancel();
    }
  }

  /** Whether it has one, and it came. */
  private boolean readToItsEnd(@Nullable HttpEntity entity) {
    try {
      return readBody(entity) && !findings.faults().contains(Fault.HEAD_CUT);
    } catch (TruncatedChunkException _) {
      findings.addOfBody(Fault.BODY_TRUNCATED);
    } catch (MalformedChunkCodingException | MessageConstraintException _) {
      findings.addOfBody(Fault.BODY_MALFORMED);
    } catch (IOException _) {
      findings.addOfBody(Fault.BODY_TRUNCATED);
    } catch (RuntimeException defect) {
      LOG.debug("An answer's body broke its reader.", defect);
      findings.addOfBody(Fault.BODY_MALFORMED);
    }
    return false;
  }

  private boolean readBody(@Nullable HttpEntity entity) throws IOException {
    if (entity == null) {
      return true;
    }
    InputStream content = entity.getContent();
    byte[] chunk = new byte[CHUNK_BYTES];
    int kept = testsBody ? MAX_TESTED_BYTES : RECORDED_BODY_BYTES;
    int bytes = 0;
    while (bytes <= MAX_BODY_BYTES) {
      int read = content.read(chunk, 0, Math.min(chunk.length, MAX_BODY_BYTES + 1 - bytes));
      if (read < 0) {
        return true;
      }
      body.write(chunk, 0, Math.min(read, kept - body.size()));
      bytes += read;
      bodyBytes = bytes;
    }
    return false;
  }

  HttpUriRequestBase request() {
    return request;
  }

  /** Whether the request was sent a second time, on a fresh connection. */
  boolean isResent() {
    return findings.isResent();
  }

  /** What was wrong with the answer. */
  Set<Fault> faults() {
    return findings.faults();
  }

  /** Whether the connection may be used again, as far as the head says. */
  boolean isRegular() {
    return findings.isRegular();
  }

  /** The headers as they were written; before that, those that were given. */
  List<Header> sentHeaders() {
    return sentHeaders;
  }

  /** The answer as far as it came, {@code null} if not even its head did. */
  @Nullable Response response() {
    Response seen = head;
    if (seen == null) {
      return null;
    }
    boolean whole = answer.state() == java.util.concurrent.Future.State.SUCCESS;
    return whole
        ? answer.resultNow()
        : seen.withBody(body.toByteArray(), bodyBytes, true, testsBody);
  }

  /** Where its request went; {@code null} as long as no connection stood. */
  @Nullable Peer peer() {
    return peer;
  }

  /** What its answer means; {@code null} if none came. */
  @Nullable Verdict verdict() {
    return verdict;
  }

  ExchangeTimes times() {
    return times;
  }
}
