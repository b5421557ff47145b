package dev.ebb.api;

import static dev.ebb.core.InvalidInput.require;
import static dev.ebb.core.InvalidInput.requireBetween;

import dev.ebb.api.access.AccessConfig;
import dev.ebb.api.events.StreamRules;
import dev.ebb.core.http.ServedHosts;
import dev.ebb.core.signing.SecretBox;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the API listens and what it accepts.
 *
 * @param host name or address to listen on
 * @param port 0 to 65535; 0 for a free one
 * @param names of hosts that requests may ask for, besides {@code localhost} and the host
 * @param healthPort the only port for probes and metrics, 0 to 65535; {@code null} for the port of
 *     all else
 * @param limits of what it accepts
 * @param access who may ask for what; anybody only where the host is this machine's loopback
 * @param streams of events
 * @param secrets seals the keys of destinations
 */
public record ApiConfig(
    String host,
    int port,
    List<String> names,
    @Nullable Integer healthPort,
    Limits limits,
    AccessConfig access,
    StreamRules streams,
    SecretBox secrets) {

  public ApiConfig {
    require(!host.isBlank(), "host", "must be a name or an address");
    requirePort(port, "port");
    names = List.copyOf(names);
    var _ = ServedHosts.of(host, names);
    require(
        !access.open() || isLoopback(host),
        "access",
        "must ask for tokens unless the API listens on loopback alone");
    if (healthPort != null) {
      requirePort(healthPort, "healthPort");
      require(healthPort == 0 || healthPort != port, "healthPort", "must differ from port");
    }
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException unknown) {
      return false;
    }
  }

  private static void requirePort(int port, String field) {
    requireBetween(port, 0, 65535, field);
  }

  /** One port for all, the default limits, and nothing without a token. */
  public static ApiConfig of(String host, int port) {
    return new ApiConfig(
        host,
        port,
        List.of(),
        null,
        Limits.defaults(),
        AccessConfig.closed(),
        StreamRules.defaults(),
        SecretBox.NONE);
  }

  /** The same, to be asked under these names too. */
  public ApiConfig withNames(List<String> names) {
    return new ApiConfig(host, port, names, healthPort, limits, access, streams, secrets);
  }

  /** The same with a port of their own for probes and metrics. */
  public ApiConfig withHealthPort(@Nullable Integer healthPort) {
    return new ApiConfig(host, port, names, healthPort, limits, access, streams, secrets);
  }

  /** The same for other callers. */
  public ApiConfig withAccess(AccessConfig access) {
    return new ApiConfig(host, port, names, healthPort, limits, access, streams, secrets);
  }

  /** The same with other limits. */
  public ApiConfig withLimits(Limits limits) {
    return new ApiConfig(host, port, names, healthPort, limits, access, streams, secrets);
  }

  /** The same with keys that seal secrets. */
  public ApiConfig withSecrets(SecretBox secrets) {
    return new ApiConfig(host, port, names, healthPort, limits, access, streams, secrets);
  }

  /** The same with other bounds of streams. */
  public ApiConfig withStreams(StreamRules streams) {
    return new ApiConfig(host, port, names, healthPort, limits, access, streams, secrets);
  }

  /**
   * The limits on what others send.
   *
   * @param maxBodyBytes of a request's body, 1 to 256 KiB; a payload has its own limit
   * @param maxBatchBytes of a batch's body, {@code maxBodyBytes} to 64 MiB
   * @param maxBytesUnderWay of all bodies together, at least three batches; one sender has half
   * @param maxConnections at a time, 2 to 100,000; one sender has half
   * @param headTime how long the head of a request may take to arrive, and any pause within its
   *     body, 0.1 s to a minute; a body may take three times as long
   * @param keepAlive how long a connection may be idle between two requests, 1 s to 1 h; a balancer
   *     in front must give up its own sooner
   */
  public record Limits(
      int maxBodyBytes,
      int maxBatchBytes,
      long maxBytesUnderWay,
      int maxConnections,
      Duration headTime,
      Duration keepAlive) {
    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;

    public Limits {
      requireBetween(maxBodyBytes, KIB, 256 * KIB, "maxBodyBytes");
      require(
          maxBatchBytes >= maxBodyBytes && maxBatchBytes <= 64 * MIB,
          "maxBatchBytes",
          "must be between maxBodyBytes and " + 64 * MIB);
      require(
          maxBytesUnderWay >= 3L * maxBatchBytes,
          "maxBytesUnderWay",
          "must be at least three times maxBatchBytes");
      requireBetween(maxConnections, 2, 100_000, "maxConnections");
      requireBetween(headTime, Duration.ofMillis(100), Duration.ofMinutes(1), "headTime");
      requireBetween(keepAlive, Duration.ofSeconds(1), Duration.ofHours(1), "keepAlive");
    }

    /**
     * Bodies of 64 KiB, batches of 4 MiB, ten seconds for a head, 75 between requests. An eighth of
     * the heap is for bodies. For each 256 KiB of it there is a connection, which takes up to 110
     * KiB while its body arrives; 8,192 at most.
     */
    public static Limits defaults() {
      int batch = 4 * MIB;
      long heap = Runtime.getRuntime().maxMemory();
      int connections = Math.toIntExact(Math.min(8192, heap / (256 * KIB)));
      return new Limits(
          64 * KIB,
          batch,
          Math.max(3L * batch, heap / 8),
          connections,
          Duration.ofSeconds(10),
          Duration.ofSeconds(75));
    }

    /** How long a body may take to arrive. */
    public Duration bodyTime() {
      return headTime.multipliedBy(3);
    }

    /** The same for bodies of other sizes. */
    public Limits withBodies(int maxBodyBytes, int maxBatchBytes, long maxBytesUnderWay) {
      return new Limits(
          maxBodyBytes, maxBatchBytes, maxBytesUnderWay, maxConnections, headTime, keepAlive);
    }

    /** The same for other connections. */
    public Limits withConnections(int maxConnections, Duration headTime) {
      return new Limits(
          maxBodyBytes, maxBatchBytes, maxBytesUnderWay, maxConnections, headTime, keepAlive);
    }

    /** The same for connections that are idle for longer, or not so long. */
    public Limits withKeepAlive(Duration keepAlive) {
      return new Limits(
          maxBodyBytes, maxBatchBytes, maxBytesUnderWay, maxConnections, headTime, keepAlive);
    }
  }
}
