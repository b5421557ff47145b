package dev.ebb.contract;

import java.time.Duration;
import java.util.List;

/**
 * When the attempts of a job start and when it is given up, if every attempt fails at once. Every
 * time is a duration since the submit.
 *
 * @param policy the policy in full
 * @param priority of the job
 * @param maxAttempts how often it is tried at most
 * @param attempts one for each attempt
 * @param giveUp when it is given up
 * @param givenUp by when one to nineteen twentieths of such jobs are given up
 * @param simulatedJobs how many jobs 10 %, median, 90 % and twentieths come from; earliest and
 *     latest are computed
 * @param load by jobs that fail together
 */
public record PolicyPreview(
    Policy policy,
    int priority,
    int maxAttempts,
    List<PreviewedAttempt> attempts,
    Times giveUp,
    List<Duration> givenUp,
    int simulatedJobs,
    RetryLoad load) {}
