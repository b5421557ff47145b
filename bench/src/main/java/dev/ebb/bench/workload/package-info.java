/**
 * The workloads: one class each, and the round that gives each a fresh database and checks how
 * often every job ran.
 */
@NullMarked
package dev.ebb.bench.workload;

import org.jspecify.annotations.NullMarked;
