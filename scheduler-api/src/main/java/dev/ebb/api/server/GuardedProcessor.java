package dev.ebb.api.server;

import java.io.IOException;
import java.time.Duration;
import org.apache.coyote.Adapter;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketWrapperBase;

/** Serves the requests of one connection at a time, and tells how long the body under way takes. */
final class GuardedProcessor extends Http11Processor implements SlowBodies.Service {
  private final SlowBodies bodies;

  GuardedProcessor(AbstractHttp11Protocol<?> protocol, Adapter adapter, SlowBodies bodies) {
    super(protocol, adapter);
    this.bodies = bodies;
  }

  @Override
  public SocketState service(SocketWrapperBase<?> socket) throws IOException {
    bodies.begin(this);
    try {
      return Peer.serve(socket, () -> super.service(socket));
    } finally {
      bodies.end(this);
    }
  }

  @Override
  public long startNanos() {
    return request.getStartTimeNanos();
  }

  @Override
  public boolean isSlow(Duration time) {
    return System.nanoTime() - startNanos() > time.toNanos() && !isRequestBodyFullyRead();
  }

  @Override
  public void close() {
    SocketWrapperBase<?> socket = getSocketWrapper();
    if (socket != null) {
      socket.close();
    }
  }
}
