package dev.ebb.worker;

import dev.ebb.db.notify.Notifier;
import dev.ebb.db.operation.CarriedStep;
import dev.ebb.db.operation.OperationCarrier;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** Carries operations on, a step at a time; every node does, and none leads. */
final class Operator {
  private static final Duration WHILE_BUSY = Duration.ofMillis(20);

  private final OperationCarrier carrier;
  private final Notifier notifier;

  Operator(OperationCarrier carrier, Notifier notifier) {
    this.carrier = carrier;
    this.notifier = notifier;
  }

  /** Takes a step if one is due, and answers when to look again. */
  Duration step() throws SQLException {
    Duration untilNext = carrier.untilNext();
    if (untilNext.isPositive()) {
      return untilNext;
    }
    Optional<CarriedStep> carried = carrier.step();
    carried.ifPresent(this::tell);
    return carried.isPresent() ? Duration.ZERO : WHILE_BUSY;
  }

  private void tell(CarriedStep carried) {
    carried.arrivedIn().forEach(notifier::workArrived);
    if (carried.requestedCancels()) {
      notifier.cancelRequested();
    }
  }
}
