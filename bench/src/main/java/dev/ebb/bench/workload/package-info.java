/**
 * The workloads: a class for each, and the round that gives a workload a fresh database and checks
 * that every job ran exactly as often as it should.
 */
@NullMarked
package dev.ebb.bench.workload;

import org.jspecify.annotations.NullMarked;
