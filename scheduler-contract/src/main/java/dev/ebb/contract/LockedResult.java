package dev.ebb.contract;

/**
 * A result to be sent again.
 *
 * @param lease the id of the lease
 * @param id the id of the job
 */
public record LockedResult(String lease, String id) {}
