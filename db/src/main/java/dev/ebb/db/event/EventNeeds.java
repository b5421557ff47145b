package dev.ebb.db.event;

/**
 * What of jobs is to be read beside what every event tells.
 *
 * @param labels whether labels are
 * @param errors whether the texts of errors are
 */
public record EventNeeds(boolean labels, boolean errors) {}
