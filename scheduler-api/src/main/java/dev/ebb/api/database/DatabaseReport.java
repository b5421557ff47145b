package dev.ebb.api.database;

import dev.ebb.core.health.ClaimTimes;
import dev.ebb.core.health.Finding;
import dev.ebb.core.health.Part;
import dev.ebb.core.health.SchemaHealth;
import dev.ebb.core.health.ServerHealth;
import java.time.Instant;
import java.util.List;

/**
 * What was read of the database at a time, and judged.
 *
 * @param findings the worst first
 */
record DatabaseReport(
    Instant asOf,
    List<Finding> findings,
    ServerHealth server,
    SchemaHealth schema,
    Part<ClaimTimes> claims) {}
