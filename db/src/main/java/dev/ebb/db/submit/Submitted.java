package dev.ebb.db.submit;

import java.util.UUID;

/**
 * The answer to a submit.
 *
 * @param id the job's id; where the job is a duplicate, the id of the job that holds its unique key
 * @param duplicate whether nothing was stored
 */
public record Submitted(UUID id, boolean duplicate) {}
