package dev.ebb.api.server;

import java.net.InetAddress;
import java.time.Duration;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;

/** Sets up the ports that Tomcat listens on. */
public final class Connectors {
  /** Of the request's line and headers together. */
  private static final int MAX_HEAD_BYTES = 8 * 1024;

  /**
   * The rest of a refused body is read up to this size and thrown away, then the connection is
   * closed: a client that still sends when it is closed may see a reset instead of its answer.
   */
  private static final int MAX_REST_BYTES = 16 << 20;

  /** For probes and metrics: each client needs one, for an instant. */
  private static final int HEALTH_CONNECTIONS = 64;

  private static final int COMPRESSED_FROM = 2 * 1024;
  private static final String COMPRESSED =
      "application/json,application/problem+json,text/plain,text/html,text/css,text/javascript";

  private Connectors() {}

  /** A port for probes and metrics, which takes connections however many the other has. */
  public static Connector health(
      InetAddress address, int port, Duration headTime, Duration keepAlive) {
    GuardedProtocol protocol = new GuardedProtocol();
    protocol.setAddress(address);
    Connector connector = new Connector(protocol);
    connector.setPort(port);
    connector.setThrowOnFailure(true);
    setUp(connector, HEALTH_CONNECTIONS, headTime, keepAlive);
    return connector;
  }

  /**
   * Bounds what a port takes.
   *
   * @param maxConnections at a time
   * @param headTime how long a head may take, and any pause within a body
   * @param keepAlive how long a connection may be idle between two requests
   */
  public static void setUp(
      Connector connector, int maxConnections, Duration headTime, Duration keepAlive) {
    GuardedProtocol protocol = (GuardedProtocol) connector.getProtocolHandler();
    protocol.setExecutor(new VirtualThreadExecutor("ebb-http-"));
    protocol.setMaxConnections(maxConnections);
    protocol.setHeadTime(headTime);
    protocol.setConnectionTimeout(Math.toIntExact(headTime.toMillis()));
    protocol.setKeepAliveTimeout(Math.toIntExact(keepAlive.toMillis()));
    protocol.setMaxHttpRequestHeaderSize(MAX_HEAD_BYTES);
    protocol.setMaxSwallowSize(MAX_REST_BYTES);
    protocol.setCompression("on");
    protocol.setCompressionMinSize(COMPRESSED_FROM);
    protocol.setCompressibleMimeType(COMPRESSED);
    // A body that is refused by its length is refused before it is sent.
    protocol.setContinueResponseTiming("onRead");
    // The dispatcher refuses it, with what the path allows; nothing here echoes a request.
    connector.setAllowTrace(true);
  }
}
