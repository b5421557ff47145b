package dev.ebb.api.server;

import dev.ebb.api.http.Shares;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketEvent;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's sockets, of which no sender has more than half, and none waits for ever for a request.
 *
 * <p>A connection takes its share before Tomcat knows it, and gives it back when Tomcat lets go of
 * it. It checks for slow requests several times within the time that a head may take.
 */
final class GuardedEndpoint extends NioEndpoint {
  private static final int LOOKS = 10;

  /**
   * How many times as long as a head a request may take. Routes that read a body answer before,
   * with a reason.
   */
  private static final int BODY_TIMES = 4;

  private final Map<SocketChannel, InetAddress> senders = new ConcurrentHashMap<>();
  private final Heads heads = new Heads(this::left);
  private final SlowBodies bodies = new SlowBodies();
  private Shares shares = new Shares(0);
  private Duration headTime = Duration.ZERO;
  private @Nullable ScheduledFuture<?> looks;

  void setHeadTime(Duration headTime) {
    this.headTime = headTime;
  }

  SlowBodies bodies() {
    return bodies;
  }

  @Override
  public void setHandler(Handler<NioChannel> handler) {
    super.setHandler(heads.around(handler));
  }

  @Override
  public void startInternal() throws Exception {
    shares = new Shares(getMaxConnections());
    super.startInternal();
    long pause = headTime.toMillis() / LOOKS;
    looks =
        getUtilityExecutor()
            .scheduleWithFixedDelay(this::endSlow, pause, pause, TimeUnit.MILLISECONDS);
  }

  @Override
  public void stopInternal() {
    if (looks != null) {
      looks.cancel(false);
    }
    super.stopInternal();
  }

  /** As Tomcat ends a connection that keeps silent. */
  private void endSlow() {
    heads.takeSlow(headTime).forEach(socket -> processSocket(socket, SocketEvent.ERROR, true));
    bodies.endSlow(headTime.multipliedBy(BODY_TIMES));
  }

  @Override
  protected boolean setSocketOptions(SocketChannel socket) {
    if (!enters(socket)) {
      destroySocket(socket);
      return false;
    }
    boolean taken = super.setSocketOptions(socket);
    if (!taken) {
      left(socket);
    }
    return taken;
  }

  private boolean enters(SocketChannel socket) {
    try {
      InetAddress sender = ((InetSocketAddress) socket.getRemoteAddress()).getAddress();
      if (!shares.take(sender, 1)) {
        return false;
      }
      senders.put(socket, sender);
      return true;
    } catch (IOException gone) {
      return false;
    }
  }

  /** May be called more than once for a socket. */
  private void left(SocketChannel socket) {
    InetAddress sender = senders.remove(socket);
    if (sender != null) {
      shares.giveBack(sender, 1);
    }
  }
}
