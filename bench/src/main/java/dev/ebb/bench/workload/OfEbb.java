package dev.ebb.bench.workload;

import dev.ebb.bench.contender.Entrant;

/** A workload of something that no other system has. */
interface OfEbb extends Workload {
  @Override
  default boolean fits(Entrant entrant) {
    return entrant == Entrant.EBB;
  }
}
