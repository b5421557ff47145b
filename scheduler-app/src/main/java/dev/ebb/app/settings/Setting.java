package dev.ebb.app.settings;

import java.util.EnumSet;
import java.util.Set;

/** A setting: its name {@code EBB_…}, its default, and what it is for. */
public enum Setting {
  CONFIG(
      "",
      "a file of settings, as --config FILE: a line for each, such as EBB_HTTP_PORT=8081; empty for"
          + " none"),
  DB_URL("jdbc:postgresql://127.0.0.1:5432/ebb", "the database's address"),
  DB_USER("", "the database user; empty for the driver's default"),
  DB_PASSWORD("", "the password, unless EBB_DB_PASSWORD_FILE is set"),
  DB_PASSWORD_FILE("", "a file whose first line is the password"),
  DB_POOL("8", "max connections, 2 to 200; API and worker in one process have this many each"),
  DB_POOLER("false", "whether Ebb connects through a transaction-pooling proxy"),
  MIGRATE("false", "whether server, api and worker apply missing migrations at start"),
  START(
      "running",
      "paused: nothing runs in the whole cluster until someone resumes it, as after a restore;"
          + " then it has no effect until the next ./ebb confirm or restored"),
  HTTP_HOST("127.0.0.1", "the address to listen on"),
  AUTH("on", "whether the API needs tokens; off allows everyone everything, only on loopback"),
  ADMIN_TOKEN("", "a token with all rights, 32 to 200 characters, unless given in a file"),
  ADMIN_TOKEN_FILE("", "a file whose first line is that token"),
  READ_ONLY("false", "whether the API refuses every change; workers go on"),
  PAYLOAD_MASK(
      "",
      "JSON Pointers of payload fields that tokens without payload:read must not see, separated by"
          + " commas; empty for all"),
  CARD_NUMBERS(
      "allow",
      "payment cards' numbers: allow, mask (answers show the last four digits) or refuse (the API"
          + " stores no job that holds one, and masks those it finds)"),
  REQUESTS_PER_MINUTE("", "max requests per token, process and minute; empty for no limit"),
  CORS_ORIGINS(
      "",
      "sites whose pages may call the API from a browser, such as https://ops.example.com,"
          + " separated by commas; empty for none"),
  HTTP_NAMES("", "host names of a node, besides addresses and localhost, separated by commas"),
  HTTP_PORT("8080", "the API's port; a worker serves its health and metrics there"),
  HEALTH_PORT("", "a port for health and metrics only; empty to serve them on EBB_HTTP_PORT"),
  HTTP_KEEP_ALIVE(
      "75s",
      "how long the API keeps an idle connection, 1s to 1h; set it longer than your balancer's"),
  QUEUES("", "the queues that a worker serves, separated by commas; empty for all"),
  CONCURRENCY("500", "max jobs that a worker runs at a time, 1 to 100000"),
  SCHEDULER("on", "whether a worker also fires schedules; off leaves them to other nodes"),
  LEASE("15s", "how long a worker keeps a job without renewing the lease, 1s to 1h"),
  DRAIN("30s", "how long running jobs may take to finish at a shutdown, 0s to 1h"),
  SHUTDOWN_DELAY(
      "5s",
      "how long the API still serves requests after SIGTERM, while /readyz answers 503, 0s to 1h;"
          + " 0s in the demo"),
  DELIVERY_ALLOW(
      "",
      "addresses, networks and names that deliveries may reach in addition to public ones, such as"
          + " 127.0.0.1:3000, 10.1.0.0/16 or shop.internal; separated by commas"),
  DELIVERY_TIMEOUT(
      "60s", "max time for an attempt of a delivery, whatever its job says, 1s to 24h"),
  DELIVERY_PROXY(
      "",
      "the proxy for all deliveries, http://host:port or"
          + " http://user:password@host:port; it must permit CONNECT to their addresses and"
          + " ports; empty for none"),
  DELIVERY_PROXY_FILE("", "a file whose first line is the proxy's URL"),
  SECRETS_KEY(
      "",
      "encrypts the keys of destinations and of exports in the database: 32 bytes in base64, as"
          + " from openssl rand -base64 32, the same on every node; after a change the old key"
          + " behind the new one, separated by a comma; empty for no such keys"),
  SECRETS_KEY_FILE("", "a file whose first line is that"),
  MERCHANT_HOST("127.0.0.1", "the address that the echo merchant listens on"),
  MERCHANT_PORT("8090", "the echo merchant's port; the next port controls it"),
  HISTORY_DAYS("14", "days for which ended jobs are kept, 1 to 90"),
  ATTEMPT_DAYS(
      "",
      "days for which the attempts that did not end their job are kept, with request and response,"
          + " 1 to EBB_HISTORY_DAYS; empty for as many"),
  LOG_FORMAT("text", "log format of server, api, worker and merchant: text, or ecs for JSON lines"),
  LOG_LEVEL("info", "lowest level logged: error, warn, info, debug or trace"),
  TRACES(
      "off",
      "otlp: the spans of submits, claims, attempts and settles go to a collector of OpenTelemetry,"
          + " by its own variables, such as OTEL_EXPORTER_OTLP_ENDPOINT; off: there are none"),
  HOME(
      "~/.ebb",
      "folder in which a node remembers its database, so that it never uses an old copy, and the"
          + " demo keeps its database and log");

  private static final Set<Setting> SECRETS =
      EnumSet.of(DB_PASSWORD, ADMIN_TOKEN, DELIVERY_PROXY, SECRETS_KEY);

  private final String fallback;
  private final String meaning;

  Setting(String fallback, String meaning) {
    this.fallback = fallback;
    this.meaning = meaning;
  }

  /** Its name, in the environment and in a file. */
  public String variable() {
    return "EBB_" + name();
  }

  /** The value where nothing else is given. */
  public String fallback() {
    return fallback;
  }

  public String meaning() {
    return meaning;
  }

  /** Whether the value itself is a secret, and not the name of the file that has it. */
  public boolean isSecret() {
    return SECRETS.contains(this);
  }
}
