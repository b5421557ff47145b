package dev.ebb.worker.http;

import java.util.Set;

/** Ports on which other protocols than HTTP are spoken. */
final class OtherPorts {
  /** The Fetch standard's bad ports (https://fetch.spec.whatwg.org/#port-blocking). */
  private static final Set<Integer> BAD_PORTS =
      Set.of(
          1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101,
          102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389,
          427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
          989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566,
          6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080);

  /**
   * Databases, caches, queues and remote desktops, which IANA lists too and browsers leave out: SQL
   * Server, Oracle, ZooKeeper, MySQL, RDP, PostgreSQL, AMQP, VNC, Redis, PgBouncer, Cassandra,
   * Kafka, Memcached, MongoDB.
   */
  private static final Set<Integer> SERVICE_PORTS =
      Set.of(1433, 1521, 2181, 3306, 3389, 5432, 5672, 5900, 6379, 6432, 9042, 9092, 11211, 27017);

  private OtherPorts() {}

  /** Whether other protocols are spoken on the port. */
  static boolean have(int port) {
    return BAD_PORTS.contains(port) || SERVICE_PORTS.contains(port);
  }
}
