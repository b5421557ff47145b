package dev.ebb.contract;

import java.util.List;

/**
 * What a submit would store, and when the attempts would start if all fail at once, counted from
 * when the job is due.
 *
 * @param policy the job's, its queue's or the default
 * @param maxAttempts how often it would be tried at most
 * @param attempts one for each attempt
 * @param giveUp when it would be given up
 * @param simulatedJobs how many jobs 10 %, median and 90 % come from
 */
public record JobPreview(
    Policy policy,
    int maxAttempts,
    List<PreviewedAttempt> attempts,
    Times giveUp,
    int simulatedJobs) {}
