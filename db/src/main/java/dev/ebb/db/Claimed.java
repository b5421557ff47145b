package dev.ebb.db;

import dev.ebb.core.Job;

/**
 * A job together with the right to run and settle it.
 *
 * @param fencingToken the lease's id: it grows with every claim, and is live while the lease row is
 *     there
 * @param version of the job's row at the claim; once the row is written, the token no longer fits
 *     it
 * @param suspect whether its last two attempts or more lost their worker
 */
public record Claimed(Job job, long fencingToken, int version, boolean suspect) {}
