package dev.ebb.db.node;

/**
 * How many live nodes could run a job: each number is of those before it.
 *
 * @param workers that run a worker
 * @param knowing that know its kind
 * @param serving that serve its queue
 * @param claiming that do not drain
 * @param free that had a free slot at their last heartbeat
 */
public record Coverage(int workers, int knowing, int serving, int claiming, int free) {}
