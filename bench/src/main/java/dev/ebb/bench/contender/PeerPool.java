package dev.ebb.bench.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.ebb.bench.machine.Target;

/** The connection pool of a peer: HikariCP, as the documentation of each recommends. */
final class PeerPool {
  /** Enough for the eight threads that submit one by one, and for a few beside them. */
  static final int SUBMITTERS = 12;

  private PeerPool() {}

  static HikariDataSource open(Target target, String name) {
    HikariDataSource pool = new HikariDataSource();
    pool.setPoolName(name);
    pool.setJdbcUrl(target.url());
    pool.setUsername(target.user());
    pool.setPassword(target.password());
    pool.setMaximumPoolSize(SUBMITTERS);
    // The driver makes multi-row inserts of the batches that a peer sends: two to three times the
    // rate of its bulk submission, and nothing else changes.
    pool.addDataSourceProperty("reWriteBatchedInserts", "true");
    return pool;
  }
}
