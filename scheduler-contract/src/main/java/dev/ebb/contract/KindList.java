package dev.ebb.contract;

import java.util.List;

/**
 * The kinds that have settings, by name.
 *
 * @param items the kinds
 */
public record KindList(List<KindSettings> items) {}
