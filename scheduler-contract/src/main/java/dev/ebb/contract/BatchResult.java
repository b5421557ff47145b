package dev.ebb.contract;

import java.util.List;

/**
 * An item for each job of a batch, in its order.
 *
 * @param items one for each job
 */
public record BatchResult(List<BatchItem> items) {}
