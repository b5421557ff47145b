package dev.ebb.ui.answer;

/** How many jobs a filter lets through. */
public record JobCount(long count, boolean exact) {}
