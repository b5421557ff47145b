package dev.ebb.contract;

import java.util.List;

/**
 * Circuits that are not closed, or hold their destination, by its name.
 *
 * @param items the circuits
 * @param complete whether there are no others
 */
public record CircuitList(List<Circuit> items, boolean complete) {}
