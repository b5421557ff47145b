package dev.ebb.bench;

/** The database that a contender is opened on. */
record Target(String url, String user, String password) {
  /** For a contender that is only asked what it can do. */
  static final Target NOWHERE = new Target("jdbc:postgresql:nowhere", "", "");
}
