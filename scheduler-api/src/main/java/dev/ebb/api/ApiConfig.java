package dev.ebb.api;

import static dev.ebb.core.InvalidInput.require;

/**
 * Where the API listens and what it accepts.
 *
 * @param host name or address to listen on
 * @param port 0 to 65535; 0 for a free one
 * @param maxBodyBytes of a request's body, 1 KiB to 1 MiB; a payload has its own limit
 * @param maxBatchBytes of a batch's body, {@code maxBodyBytes} to 64 MiB
 */
public record ApiConfig(String host, int port, int maxBodyBytes, int maxBatchBytes) {
  public static final int DEFAULT_PORT = 8080;

  private static final int KIB = 1024;
  private static final int MIB = 1024 * KIB;

  public ApiConfig {
    require(!host.isBlank(), "host", "must be a name or an address");
    require(port >= 0 && port <= 65535, "port", "must be between 0 and 65535");
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
    return new ApiConfig(host, port, 64 * KIB, 4 * MIB);
  }
}
