package dev.ebb.client;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer whose head is there. Who waits for it does so in its own thread, for a
 * bounded time: before Java 26, the timeout of a request ends with the head. Nothing here waits for
 * a thread of the common pool, which an application may fill.
 */
final class Arriving implements BodySubscriber<Arriving> {
  private final long since = System.nanoTime();
  private final BodySubscriber<String> text;
  private @Nullable Subscription source;
  private boolean isGivenUp;

  /**
   * @param text collects the body, and has it as a whole
   */
  Arriving(BodySubscriber<String> text) {
    this.text = text;
  }

  /** When the head was there, by the monotonic clock. */
  long since() {
    return since;
  }

  /** The whole body; an {@link IOException} if it does not come in time. */
  String text(long nanos) throws IOException, InterruptedException {
    CompletableFuture<String> whole = text.getBody().toCompletableFuture();
    try {
      return whole.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new HttpTimeoutException(
          "the rest of an answer did not come within " + Duration.ofNanos(nanos));
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof IOException lost ? lost : new IOException(failed);
    } finally {
      if (!whole.isDone()) {
        giveUp();
      }
    }
  }

  /** Closes the connection. */
  private synchronized void giveUp() {
    isGivenUp = true;
    if (source != null) {
      source.cancel();
    }
  }

  /** It is there as soon as its head is. */
  @Override
  public CompletionStage<Arriving> getBody() {
    return CompletableFuture.completedFuture(this);
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    synchronized (this) {
      source = subscription;
      if (isGivenUp) {
        subscription.cancel();
        return;
      }
    }
    text.onSubscribe(subscription);
  }

  @Override
  public void onNext(List<ByteBuffer> part) {
    text.onNext(part);
  }

  @Override
  public void onError(Throwable failure) {
    text.onError(failure);
  }

  @Override
  public void onComplete() {
    text.onComplete();
  }
}
