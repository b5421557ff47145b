package dev.ebb.app.settings;

/** A setting: the environment variable {@code EBB_…}, its default, and what it is for. */
public enum Setting {
  DB_URL("jdbc:postgresql://127.0.0.1:5432/ebb", "where the database is"),
  DB_USER("", "the user that connects; empty for the driver's default"),
  DB_PASSWORD("", "the password, unless EBB_DB_PASSWORD_FILE gives it"),
  DB_PASSWORD_FILE("", "a file whose first line is the password"),
  DB_POOL("8", "the most connections, 2 to 200; in one process, API and worker have as many each"),
  DB_POOLER("false", "whether Ebb connects through a transaction-pooling proxy"),
  MIGRATE("false", "whether server, api and worker apply missing migrations at start"),
  START(
      "running",
      "paused has nothing run in the whole cluster until people resume it, as after a restore; once"
          + " they have, it says nothing until the next ./ebb confirm or restored"),
  HTTP_HOST("127.0.0.1", "the address to listen on"),
  AUTH("on", "whether the API asks for tokens; off lets anybody do anything, and only on loopback"),
  ADMIN_TOKEN("", "a token that may do everything, 32 to 200 characters, unless given in a file"),
  ADMIN_TOKEN_FILE("", "a file whose first line is that token"),
  READ_ONLY("false", "whether the API refuses every change, whatever the token; workers go on"),
  PAYLOAD_MASK(
      "",
      "JSON Pointers of what tokens without payload:read must not see in payloads, separated by"
          + " commas; empty for all"),
  REQUESTS_PER_MINUTE(
      "", "requests that each token may send to one process in a minute; empty for any number"),
  CORS_ORIGINS(
      "",
      "sites whose pages may ask the API from a browser, such as https://ops.example.com, separated"
          + " by commas; empty for none"),
  HTTP_NAMES(
      "",
      "names by which clients call a node, besides addresses and localhost; separated by commas"),
  HTTP_PORT("8080", "the API's port; a worker serves its health and metrics there"),
  HEALTH_PORT("", "a port for health and metrics only; empty to serve them on EBB_HTTP_PORT"),
  HTTP_KEEP_ALIVE(
      "75s", "how long the API keeps an idle connection, 1s to 1h; longer than a balancer's own"),
  QUEUES("", "the queues that a worker serves, separated by commas; empty for all"),
  CONCURRENCY("500", "jobs that a worker runs at the same time, 1 to 100000"),
  SCHEDULER("on", "whether a worker also fires schedules; off leaves them to other nodes"),
  LEASE("15s", "how long a worker keeps a job without renewing its lease, 1s to 1h"),
  DRAIN("30s", "how long running jobs may take to end at a shutdown, 0s to 1h"),
  SHUTDOWN_DELAY(
      "5s",
      "how long the API serves requests after SIGTERM, while /readyz answers 503, 0s to 1h; the"
          + " demo has 0s"),
  DELIVERY_ALLOW(
      "",
      "addresses, networks and names that deliveries may reach besides public addresses, such as"
          + " 127.0.0.1:3000, 10.1.0.0/16 or shop.internal; separated by commas"),
  DELIVERY_TIMEOUT(
      "60s", "how long an attempt of a delivery may take, whatever its job asks for, 1s to 24h"),
  DELIVERY_PROXY(
      "",
      "the proxy that all deliveries go through, http://host:port or"
          + " http://user:password@host:port; it must permit CONNECT to their addresses and"
          + " ports; empty for none"),
  DELIVERY_PROXY_FILE("", "a file whose first line is that URL"),
  MERCHANT_HOST("127.0.0.1", "the address that the echo merchant listens on"),
  MERCHANT_PORT("8090", "the echo merchant's port; its control has the next one"),
  HISTORY_DAYS("14", "for how many days ended jobs are kept, 1 to 90"),
  LOG_FORMAT(
      "text", "how server, api, worker and merchant log: text, or ecs for JSON, a line each"),
  LOG_LEVEL("info", "the least level that is logged: error, warn, info, debug or trace"),
  HOME(
      "~/.ebb",
      "where a node keeps which database it knows, so that it never takes an old copy for it, and"
          + " the demo its database and its log");

  private final String fallback;
  private final String meaning;

  Setting(String fallback, String meaning) {
    this.fallback = fallback;
    this.meaning = meaning;
  }

  /** The name of the environment variable. */
  public String variable() {
    return "EBB_" + name();
  }

  /** The value where the variable is absent or blank. */
  public String fallback() {
    return fallback;
  }

  public String meaning() {
    return meaning;
  }
}
