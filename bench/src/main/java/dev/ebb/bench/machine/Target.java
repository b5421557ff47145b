package dev.ebb.bench.machine;

/** The database that a contender is opened on. */
public record Target(String url, String user, String password) {
  /** For a contender that is only asked what it can do. */
  public static final Target NOWHERE = new Target("jdbc:postgresql:nowhere", "", "");
}
