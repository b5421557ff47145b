package dev.ebb.contract;

import java.util.List;

/**
 * What a batch would store, in its order.
 *
 * @param valid whether each job keeps the rules; always, where one that does not has the whole
 *     refused
 * @param items one for each job
 */
public record BatchPreview(boolean valid, List<BatchPreviewItem> items) {}
