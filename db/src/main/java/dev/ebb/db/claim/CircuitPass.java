package dev.ebb.db.claim;

/**
 * By what a claimed job passed its destination's circuit, for the vote of its attempt.
 *
 * @param epoch of the circuit since its claim
 * @param isProbe whether the circuit waits for it
 * @param awaitsGood whether the circuit must hear at once of a good vote
 * @param hasBad whether it must hear of good votes soon, which outweigh bad ones
 * @param delivers whether the job goes to the destination: no other one votes
 */
public record CircuitPass(
    long epoch, boolean isProbe, boolean awaitsGood, boolean hasBad, boolean delivers) {}
