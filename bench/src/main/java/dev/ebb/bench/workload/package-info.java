/**
 * What is measured: a class for each workload, and the round that gives it a fresh database and
 * checks that every job ran exactly as often as it should.
 */
@NullMarked
package dev.ebb.bench.workload;

import org.jspecify.annotations.NullMarked;
