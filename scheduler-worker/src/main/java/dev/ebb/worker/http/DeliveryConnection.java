package dev.ebb.worker.http;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hc.client5.http.impl.io.DefaultManagedHttpClientConnection;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a destination. An idle one that has anything to read is not used again: what was
 * sent before the request cannot be its answer. One that cannot be written to any more may still
 * hold an answer, sent by a server that did not wait for the whole request.
 */
final class DeliveryConnection extends DefaultManagedHttpClientConnection {
  private static final Timeout LOOK = Timeout.ofMilliseconds(1);
  private static final AtomicLong COUNT = new AtomicLong();

  private final AtomicInteger allIdle;
  private final AtomicBoolean idle = new AtomicBoolean();

  private volatile @Nullable SocketException unsent;
  private volatile @Nullable Peer peer;

  /**
   * One that is not open yet.
   *
   * @param allIdle counts it while it is open and unused
   */
  DeliveryConnection(Http1Config limits, AtomicInteger allIdle) {
    super(
        "ebb-" + COUNT.incrementAndGet(),
        null,
        null,
        limits,
        new BodyLength(),
        null,
        null,
        _ -> new HeadParser());
    this.allIdle = allIdle;
  }

  @Override
  public void passivate() {
    super.passivate();
    if (!idle.getAndSet(true)) {
      allIdle.incrementAndGet();
    }
  }

  @Override
  public void activate() {
    super.activate();
    idleNoMore();
  }

  @Override
  public void close() throws IOException {
    idleNoMore();
    super.close();
  }

  @Override
  public void close(CloseMode mode) {
    idleNoMore();
    super.close(mode);
  }

  private void idleNoMore() {
    if (idle.getAndSet(false)) {
      allIdle.decrementAndGet();
    }
  }

  @Override
  public boolean isStale() {
    try {
      awaitInput(LOOK);
      return true;
    } catch (SocketTimeoutException _) {
      return false;
    } catch (IOException _) {
      return true;
    }
  }

  @Override
  public void sendRequestHeader(ClassicHttpRequest request) throws HttpException, IOException {
    Peer known = peer;
    Peer reached = known == null ? Peer.of(getRemoteAddress(), getSSLSession()) : known.again();
    peer = reached;
    Exchange.reached(reached);
    super.sendRequestHeader(request);
  }

  @Override
  public void sendRequestEntity(ClassicHttpRequest request) throws HttpException, IOException {
    try {
      super.sendRequestEntity(request);
    } catch (SocketException broken) {
      unsent = broken;
    }
  }

  @Override
  public void flush() throws IOException {
    try {
      super.flush();
    } catch (SocketException broken) {
      unsent = broken;
    }
  }

  @Override
  public ClassicHttpResponse receiveResponseHeader() throws HttpException, IOException {
    SocketException broken = unsent;
    if (broken == null) {
      return super.receiveResponseHeader();
    }
    Exchange.findings().odd();
    try {
      return super.receiveResponseHeader();
    } catch (IOException | HttpException nothing) {
      broken.addSuppressed(nothing);
      throw broken;
    }
  }
}
