package dev.ebb.worker.http;

import java.util.Set;

/** Ports on which other protocols than HTTP are spoken, or HTTP to rule a service with. */
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
   * Databases, caches, queues, directories and the ports by which machines are ruled, which
   * browsers leave out. Some speak HTTP, and none is a merchant.
   */
  private static final Set<Integer> SERVICE_PORTS =
      Set.of(
          88, // Kerberos
          445, // SMB
          873, // rsync
          1433, // SQL Server
          1434, // SQL Server's browser
          1521, // Oracle
          1883, // MQTT
          2181, // ZooKeeper
          2375, // Docker
          2376, // Docker with TLS
          2379, // etcd
          2380, // etcd's peers
          3050, // Firebird
          3268, // Active Directory's global catalogue
          3269, // the same with TLS
          3306, // MySQL
          3389, // RDP
          4222, // NATS
          4369, // Erlang's port mapper
          5432, // PostgreSQL
          5671, // AMQP with TLS
          5672, // AMQP
          5900, // VNC
          5984, // CouchDB
          5985, // WinRM
          5986, // WinRM with TLS
          6379, // Redis
          6432, // PgBouncer
          6650, // Pulsar
          7199, // Cassandra's JMX
          7474, // Neo4j
          7687, // Neo4j's Bolt
          8086, // InfluxDB
          8123, // ClickHouse
          8529, // ArangoDB
          9042, // Cassandra
          9092, // Kafka
          9160, // Cassandra's Thrift
          9200, // Elasticsearch
          9300, // Elasticsearch's nodes
          10250, // Kubernetes' kubelet
          11211, // Memcached
          15672, // RabbitMQ's management
          16379, // Redis' cluster bus
          26257, // CockroachDB
          26379, // Redis Sentinel
          27017, // MongoDB
          27018, // MongoDB's shards
          27019, // MongoDB's config servers
          28015); // RethinkDB

  private OtherPorts() {}

  /** Whether the port must be allowed by its number. */
  static boolean have(int port) {
    return BAD_PORTS.contains(port) || SERVICE_PORTS.contains(port);
  }
}
