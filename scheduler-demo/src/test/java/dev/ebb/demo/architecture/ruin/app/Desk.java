package dev.ebb.demo.architecture.ruin.app;

import dev.ebb.demo.architecture.ruin.demo.Toy;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.jspecify.annotations.Nullable;
import org.quartz.Scheduler;

/** Knows the demo, and has a database and a Quartz of its own. */
public final class Desk {
  @Nullable EmbeddedPostgres database;
  @Nullable Scheduler scheduler;

  private Desk() {}

  public static void open() {
    Toy.play();
  }
}
