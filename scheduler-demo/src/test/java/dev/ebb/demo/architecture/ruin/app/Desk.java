package dev.ebb.demo.architecture.ruin.app;

import dev.ebb.demo.architecture.ruin.demo.Toy;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.jspecify.annotations.Nullable;

/** Knows the demo, and has a database of its own. */
public final class Desk {
  @Nullable EmbeddedPostgres database;

  private Desk() {}

  public static void open() {
    Toy.play();
  }
}
