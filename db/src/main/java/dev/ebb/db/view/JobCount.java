package dev.ebb.db.view;

import java.time.Instant;

/**
 * How many jobs a filter lets through.
 *
 * @param exact whether every job was looked at; otherwise it is an estimate from a sample
 * @param asOf the database's clock
 */
public record JobCount(long count, boolean exact, Instant asOf) {}
