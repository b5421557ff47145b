package dev.ebb.db.claim;

import java.time.Duration;
import java.util.Optional;

/**
 * The result of a claim.
 *
 * @param lease empty if there was no job that fits, or the queue's limits let none through
 * @param mayHaveMore whether it got as many as it asked for, or there is more to look through
 * @param configured whether the queue has settings of its own
 * @param limited whether the queue has limits
 * @param weight the queue's share of a node's slots, in relation to other queues
 * @param closedFor for how long its limits let nothing more through; zero if they let more through
 * @param full whether that is because {@code maxConcurrency} jobs are in flight: one that ends
 *     makes room
 * @param contended whether that is because other claims had taken most of what was permitted
 * @param scanIn when a claim will look at all that is due, if this one began where the last ended;
 *     zero if it looked at all, or such looks are slow
 */
public record ClaimAnswer(
    Optional<Lease> lease,
    boolean mayHaveMore,
    boolean configured,
    boolean limited,
    int weight,
    Duration closedFor,
    boolean full,
    boolean contended,
    Duration scanIn) {}
