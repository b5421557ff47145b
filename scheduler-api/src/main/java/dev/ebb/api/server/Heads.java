package dev.ebb.api.server;

import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * The connections on which a head has begun and not ended, and since when.
 *
 * <p>Tomcat calls its handler when bytes have arrived, and the handler returns when it wants more.
 * In between it has served a request, or everything that came so far belongs to a head; so do empty
 * lines before it. A connection is not closed while the handler is at work.
 */
final class Heads {
  private final Map<SocketWrapperBase<NioChannel>, Long> since = new ConcurrentHashMap<>();
  private final Consumer<SocketChannel> closed;

  /**
   * @param closed told of each connection that Tomcat lets go of
   */
  Heads(Consumer<SocketChannel> closed) {
    this.closed = closed;
  }

  /** The handler, watched. */
  Handler<NioChannel> around(Handler<NioChannel> handler) {
    return new Watched(handler);
  }

  /** The connections on which a head takes longer than that; each is answered once. */
  List<SocketWrapperBase<NioChannel>> takeSlow(Duration time) {
    long now = System.nanoTime();
    List<SocketWrapperBase<NioChannel>> slow = new ArrayList<>();
    since.forEach((socket, start) -> {
      if (socket.isClosed()) {
        since.remove(socket);
      } else if (now - start > time.toNanos() && since.remove(socket, start)) {
        slow.add(socket);
      }
    });
    return slow;
  }

  private final class Watched implements Handler<NioChannel> {
    private final Handler<NioChannel> handler;

    Watched(Handler<NioChannel> handler) {
      this.handler = handler;
    }

    @Override
    public SocketState process(SocketWrapperBase<NioChannel> socket, SocketEvent event) {
      Long begun = since.remove(socket);
      long start = begun == null ? System.nanoTime() : begun;
      int before = requestsLeft(socket);
      SocketState state = handler.process(socket, event);
      boolean served = requestsLeft(socket) != before;
      if (state == SocketState.LONG || (state == SocketState.OPEN && !served)) {
        since.put(socket, served ? System.nanoTime() : start);
      }
      return state;
    }

    /**
     * Tomcat counts them down with each request that it serves, and has no other way to read it.
     */
    private static int requestsLeft(SocketWrapperBase<NioChannel> socket) {
      int left = socket.decrementKeepAlive() + 1;
      socket.setKeepAliveLeft(left);
      return left;
    }

    @Override
    public void release(SocketWrapperBase<NioChannel> socket) {
      since.remove(socket);
      closed.accept(socket.getSocket().getIOChannel());
      handler.release(socket);
    }

    @Override
    public Object getGlobal() {
      return handler.getGlobal();
    }

    @Override
    public void pause() {
      handler.pause();
    }

    @Override
    public void recycle() {
      handler.recycle();
    }
  }
}
