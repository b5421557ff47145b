package dev.ebb.db;

import dev.ebb.core.RetryPolicy;
import tools.jackson.databind.JsonNode;

/** A retry policy as JSON, in the database and over REST. */
public final class PolicyJson {
  private PolicyJson() {}

  /** Reads a preset's name or an object; throws {@link dev.ebb.core.InvalidInput} on any other. */
  public static RetryPolicy read(JsonNode json) {
    throw new AssertionError();
  }

  /** The policy as an object that {@link #read} reads back. */
  public static JsonNode write(RetryPolicy policy) {
    throw new AssertionError();
  }
}
