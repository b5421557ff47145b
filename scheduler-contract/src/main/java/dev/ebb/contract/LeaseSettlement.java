package dev.ebb.contract;

import java.util.List;

/**
 * What came of results.
 *
 * @param settled the jobs whose results were taken
 * @param refused those of which nothing was written
 * @param locked those whose rows somebody has locked: to be sent again
 */
public record LeaseSettlement(
    List<SettledJob> settled, List<RefusedResult> refused, List<LockedResult> locked) {}
