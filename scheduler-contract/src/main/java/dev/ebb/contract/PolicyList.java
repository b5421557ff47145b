package dev.ebb.contract;

import java.util.List;

/**
 * Presets by name, then the stored policies by name.
 *
 * @param items the policies
 */
public record PolicyList(List<NamedPolicy> items) {}
