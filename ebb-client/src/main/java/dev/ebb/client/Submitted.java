package dev.ebb.client;

import java.util.UUID;

/**
 * What a submit came to.
 *
 * @param id the job's; of a duplicate, that of the job that holds the unique key
 * @param isDuplicate whether nothing was stored
 */
public record Submitted(UUID id, boolean isDuplicate) {}
