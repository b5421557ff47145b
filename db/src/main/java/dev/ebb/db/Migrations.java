package dev.ebb.db;

/** Brings the schema {@code ebb} up to date. */
public final class Migrations {
  private Migrations() {}

  /** Applies what is missing and answers how many migrations that were. */
  public static int migrate(DatabaseConfig config) {
    throw new AssertionError();
  }

  /** Whether the schema is the one that this version needs. */
  public static boolean isCurrent(DatabaseConfig config) {
    throw new AssertionError();
  }
}
