package dev.ebb.api.server;

import java.io.IOException;
import org.apache.tomcat.util.net.SocketWrapperBase;

/** Who waits for the answer to a request, at the other end of its connection. */
public final class Peer {
  private static final ScopedValue<Peer> CURRENT = ScopedValue.newInstance();

  private final SocketWrapperBase<?> socket;

  private Peer(SocketWrapperBase<?> socket) {
    this.socket = socket;
  }

  /** That of the request which this thread serves. */
  public static Peer current() {
    return CURRENT.get();
  }

  /** Does something for the peer of a connection. */
  static <T, X extends Throwable> T serve(
      SocketWrapperBase<?> socket, ScopedValue.CallableOp<? extends T, X> service) throws X {
    return ScopedValue.where(CURRENT, new Peer(socket)).call(service);
  }

  /**
   * Whether it has hung up, as far as is known: a machine that vanished tells nothing. To be asked
   * once the request is read, and while its thread waits.
   */
  public boolean hasHungUp() {
    try {
      // Has Tomcat read what there is, which it keeps for the next request.
      boolean _ = socket.isReadyForRead();
      return socket.isClosed();
    } catch (IOException hungUp) {
      return true;
    }
  }
}
