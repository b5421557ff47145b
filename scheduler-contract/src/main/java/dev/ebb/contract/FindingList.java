package dev.ebb.contract;

import java.time.Instant;
import java.util.List;

/**
 * What is wrong now.
 *
 * @param asOf when this was so, by the database's clock
 * @param verdict of the worst finding; ok without one
 * @param items the worst first; of many queues or nodes in the same trouble some have a finding
 *     each, and one finding says how many more there are
 */
public record FindingList(Instant asOf, String verdict, List<Finding> items) {}
