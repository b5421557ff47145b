package dev.ebb.contract;

/**
 * A result that came too late.
 *
 * @param lease the id of the lease
 * @param id the id of the job
 * @param why settled: the job was settled under this lease before; lease_ended: with its last job,
 *     or it expired
 */
public record RefusedResult(String lease, String id, String why) {}
