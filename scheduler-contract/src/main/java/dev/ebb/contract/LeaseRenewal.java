package dev.ebb.contract;

import java.util.List;

/**
 * What came of a renewal.
 *
 * @param renewed the leases that go on
 * @param lost leases that have ended: nothing of them can be settled
 * @param cancel the ids of jobs that somebody asked to stop
 * @param drain whether somebody asked the worker to poll no more
 */
public record LeaseRenewal(
    List<RenewedLease> renewed, List<String> lost, List<String> cancel, boolean drain) {}
