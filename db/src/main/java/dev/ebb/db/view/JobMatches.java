package dev.ebb.db.view;

import dev.ebb.contract.JobCount;
import java.util.List;
import java.util.Map;

/**
 * The jobs that an action on many would meet.
 *
 * @param byQueue how many of those that were counted exactly, by queue, for up to 100 queues
 * @param sample some of them, without payloads
 */
public record JobMatches(JobCount count, Map<String, Long> byQueue, List<JobView> sample) {}
