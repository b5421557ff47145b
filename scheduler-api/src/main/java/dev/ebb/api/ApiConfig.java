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
 * @param maxBodyBytes of a request's body, 1 KiB to 1 MiB; a payload has its own limit
 * @param maxBatchBytes of a batch's body, {@code maxBodyBytes} to 64 MiB
 */
public record ApiConfig(
    String host, int port, List<String> names, int maxBodyBytes, int maxBatchBytes) {
  public static final int DEFAULT_PORT = 8080;

  private static final int KIB = 1024;
  private static final int MIB = 1024 * KIB;

  public ApiConfig {
    require(!host.isBlank(), "host", "must be a name or an address");
    require(port >= 0 && port <= 65535, "port", "must be between 0 and 65535");
    names = List.copyOf(names);
    var _ = ServedHosts.of(host, names);
    require(
        maxBodyBytes >= KIB && maxBodyBytes <= MIB,
        "maxBodyBytes",
        "must be between " + KIB + " and " + MIB);
    require(
        maxBatchBytes >= maxBodyBytes && maxBatchBytes <= 64 * MIB,
        "maxBatchBytes",
        "must be between maxBodyBytes and " + 64 * MIB);
  }

  /** Bodies of 64 KiB, batches of 4 MiB. */
  public static ApiConfig of(String host, int port) {
    return new ApiConfig(host, port, List.of(), 64 * KIB, 4 * MIB);
  }

  /** The same, to be asked under these names too. */
  public ApiConfig withNames(List<String> names) {
    return new ApiConfig(host, port, names, maxBodyBytes, maxBatchBytes);
  }
}
