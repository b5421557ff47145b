package dev.ebb.db.stall;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test that surefire runs again although its failure counts. */
public final class FailedBefore implements BeforeAllCallback, BeforeEachCallback {
  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    rethrow(context.getUniqueId());
  }

  @Override
  public void beforeEach(ExtensionContext context) throws Exception {
    rethrow(context.getUniqueId());
  }

  static void rethrow(String id) throws Exception {
    Throwable before = Failures.ALL.counted(id);
    if (before instanceof Exception exception) {
      throw exception;
    }
    if (before instanceof Error error) {
      throw error;
    }
  }
}
