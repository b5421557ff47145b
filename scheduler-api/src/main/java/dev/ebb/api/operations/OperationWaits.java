package dev.ebb.api.operations;

import dev.ebb.api.http.Waits;
import dev.ebb.db.loop.FailureLog;
import dev.ebb.db.operation.OperationView;
import dev.ebb.db.operation.Operations;
import java.net.InetAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Requests that wait until the state of their operation is another. */
public final class OperationWaits extends Waits<OperationView> {
  private final Operations operations;

  OperationWaits(Operations operations, FailureLog failureLog) {
    super("operation", failureLog);
    this.operations = operations;
  }

  @Override
  protected Map<UUID, String> marks(List<UUID> ids) throws SQLException {
    return operations.states(ids);
  }

  @Override
  protected Optional<OperationView> find(UUID id) throws SQLException {
    return operations.find(id);
  }

  /** The operation once its state is no longer the one that was seen, or the time is over. */
  Optional<OperationView> after(OperationView seen, InetAddress sender, Duration atMost)
      throws SQLException, InterruptedException {
    try (Place place = enter(seen.id(), sender)) {
      News news = place.await(seen.state().word(), atMost);
      return news == null ? find(seen.id()) : news.found();
    }
  }
}
