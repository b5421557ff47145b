package dev.ebb.db.settle;

import java.util.List;

/**
 * The result of a settle.
 *
 * @param refused those that the fence kept out, because their token was no longer live: nothing was
 *     written of them
 * @param locked those whose jobs somebody else has locked: nothing was written of them, and their
 *     leases were not ended
 */
public record SettleResult(List<FinishedAttempt> refused, List<FinishedAttempt> locked) {}
