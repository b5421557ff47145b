package dev.ebb.db.poll;

import dev.ebb.db.settle.FinishedAttempt;
import java.util.List;

/**
 * What came of a settle; together these are all that were sent.
 *
 * @param written with what was decided
 * @param before those whose lease stands, under which they were settled before
 * @param ended those whose lease has ended, or is another's
 * @param locked those that somebody has locked: to be sent again
 */
public record Settled(
    List<FinishedAttempt> written, List<Ending> before, List<Ending> ended, List<Ending> locked) {}
