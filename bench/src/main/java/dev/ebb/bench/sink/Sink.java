package dev.ebb.bench.sink;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Receives deliveries at every address of this machine, on one thread that costs as little as it
 * can, and answers each with 204, at once or when it is told to. It remembers when each number
 * came.
 */
public final class Sink implements AutoCloseable {
  private static final int BACKLOG = 4_096;

  private final ServerSocketChannel server;
  private final Selector selector;
  private final Thread thread = Thread.ofPlatform().name("sink").unstarted(this::serve);
  private final AtomicLongArray arrivedNanos;
  private final AtomicIntegerArray times;
  private final AtomicInteger arrived = new AtomicInteger();
  private final AtomicInteger unsigned = new AtomicInteger();
  private final List<SocketChannel> held = new ArrayList<>();
  private boolean holds;

  private Sink(int numbers) throws IOException {
    this.arrivedNanos = new AtomicLongArray(numbers);
    this.times = new AtomicIntegerArray(numbers);
    this.selector = Selector.open();
    this.server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(0), BACKLOG);
    server.configureBlocking(false);
    server.register(selector, SelectionKey.OP_ACCEPT);
  }

  /** One for jobs with the numbers 0 to {@code numbers - 1}. */
  public static Sink start(int numbers) throws IOException {
    Sink sink = new Sink(numbers);
    sink.thread.start();
    return sink;
  }

  public int port() {
    return server.socket().getLocalPort();
  }

  /** How many deliveries came. */
  public int arrived() {
    return arrived.get();
  }

  /** How many of them had no signature. */
  public int unsigned() {
    return unsigned.get();
  }

  /** How often each number came. */
  public List<Integer> perNumber() {
    List<Integer> each = new ArrayList<>();
    for (int number = 0; number < times.length(); number++) {
      each.add(times.get(number));
    }
    return each;
  }

  /** When the number came; to be asked after {@link #arrived} counted it. */
  public long arrivedNanos(int number) {
    return arrivedNanos.get(number);
  }

  /** From now on nothing is answered before {@link #release}. */
  public synchronized void hold() {
    holds = true;
  }

  /** Answers what was held, and all that comes. */
  public synchronized void release() throws IOException {
    holds = false;
    for (SocketChannel channel : held) {
      answer(channel);
    }
    held.clear();
  }

  private void serve() {
    try {
      while (selector.isOpen()) {
        selector.select(this::ready);
      }
    } catch (ClosedSelectorException _) {
      // It is over.
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void ready(SelectionKey key) {
    try {
      if (key.isAcceptable()) {
        accept();
        return;
      }
    } catch (IOException failed) {
      throw new UncheckedIOException("the receiver cannot accept", failed);
    }
    try {
      read(key, (SocketChannel) key.channel());
    } catch (IOException _) {
      // The client is gone; what it has not delivered is missed in the counts.
      close(key);
    }
  }

  private void accept() throws IOException {
    for (SocketChannel channel = server.accept(); channel != null; channel = server.accept()) {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(Delivered.MOST_BYTES));
    }
  }

  private void read(SelectionKey key, SocketChannel channel) throws IOException {
    ByteBuffer buffer = (ByteBuffer) key.attachment();
    if (channel.read(buffer) < 0) {
      close(key);
      return;
    }
    Delivered delivered = Delivered.read(buffer);
    if (delivered != null) {
      note(delivered);
      answerOrHold(channel);
    }
  }

  private void note(Delivered delivered) {
    arrivedNanos.set(delivered.number(), System.nanoTime());
    times.incrementAndGet(delivered.number());
    if (!delivered.signed()) {
      unsigned.incrementAndGet();
    }
    arrived.incrementAndGet();
  }

  private synchronized void answerOrHold(SocketChannel channel) throws IOException {
    if (holds) {
      held.add(channel);
    } else {
      answer(channel);
    }
  }

  /** So short an answer fits into the socket's buffer. */
  private static void answer(SocketChannel channel) throws IOException {
    channel.write(
        ByteBuffer.wrap("HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
  }

  private static void close(SelectionKey key) {
    try {
      key.channel().close();
    } catch (IOException _) {
      // It is closed as far as it can be.
    }
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey key : List.copyOf(selector.keys())) {
      close(key);
    }
    selector.close();
  }
}
