package dev.ebb.contract;

import java.util.List;

/** The kinds that have settings, by name. */
public record KindList(List<KindSettings> items) {}
