package dev.ebb.demo.architecture.ruin.worker;

import dev.ebb.demo.architecture.ruin.api.Page;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Knows the API, speaks SQL, and uses Spring. */
@Component
public final class Runner {
  @Nullable Connection connection;

  private Runner() {}

  public static void run() {
    Page.show();
  }
}
