package dev.ebb.db.claim;

import java.time.Instant;
import java.util.List;

/**
 * A claimed batch.
 *
 * @param id the fencing token of all its jobs
 * @param claimedAt the database's clock at the claim
 * @param lateMicros for how long each job had been due then
 */
public record Lease(long id, Instant claimedAt, List<ClaimedJob> jobs, List<Long> lateMicros) {}
