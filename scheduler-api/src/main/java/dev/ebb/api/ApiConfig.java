package dev.ebb.api;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.ServedHosts;
import java.util.List;

/**
 * Where the API listens and what it accepts.
 *
 * @param host name or address to listen on
 * @param port 0 to 65535; 0 for a free one
 * @param names of hosts, beside {@code localhost} and the host, for which it may be asked
 * @param limits of what it accepts
 */
public record ApiConfig(String host, int port, List<String> names, Limits limits) {
  public static final int DEFAULT_PORT = 8080;

  public ApiConfig {
    require(!host.isBlank(), "host", "must be a name or an address");
    require(port >= 0 && port <= 65535, "port", "must be between 0 and 65535");
    names = List.copyOf(names);
    var _ = ServedHosts.of(host, names);
  }

  /** Bodies of 64 KiB, batches of 4 MiB, an eighth of the heap for all of them together. */
  public static ApiConfig of(String host, int port) {
    return new ApiConfig(host, port, List.of(), Limits.defaults());
  }

  /** The same, to be asked under these names too. */
  public ApiConfig withNames(List<String> names) {
    return new ApiConfig(host, port, names, limits);
  }

  /** The same with other limits. */
  public ApiConfig withLimits(Limits limits) {
    return new ApiConfig(host, port, names, limits);
  }

  /**
   * How much of what others send is taken.
   *
   * @param maxBodyBytes of a request's body, 1 to 256 KiB; a payload has its own limit
   * @param maxBatchBytes of a batch's body, {@code maxBodyBytes} to 64 MiB
   * @param maxBytesUnderWay of all bodies together, at least three batches; one sender has half
   */
  public record Limits(int maxBodyBytes, int maxBatchBytes, long maxBytesUnderWay) {
    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;

    public Limits {
      require(
          maxBodyBytes >= KIB && maxBodyBytes <= 256 * KIB,
          "maxBodyBytes",
          "must be between " + KIB + " and " + 256 * KIB);
      require(
          maxBatchBytes >= maxBodyBytes && maxBatchBytes <= 64 * MIB,
          "maxBatchBytes",
          "must be between maxBodyBytes and " + 64 * MIB);
      require(
          maxBytesUnderWay >= 3L * maxBatchBytes,
          "maxBytesUnderWay",
          "must be at least three times maxBatchBytes");
    }

    private static Limits defaults() {
      int batch = 4 * MIB;
      return new Limits(
          64 * KIB, batch, Math.max(3L * batch, Runtime.getRuntime().maxMemory() / 8));
    }
  }
}
