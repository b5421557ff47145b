package dev.ebb.app.settings;

import dev.ebb.api.access.AccessConfig;
import dev.ebb.api.access.CardNumberRule;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.NearMiss;
import dev.ebb.core.http.ServedHosts;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.db.connection.DatabaseConfig;
import dev.ebb.db.schema.Retention;
import dev.ebb.worker.http.DeliveryProxy;
import dev.ebb.worker.http.HttpHandlerConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be set; {@link Setting} says what each is for.
 *
 * @param secretFiles where the database's password, the admin's token and other secrets were read
 * @param access who may ask the API for what
 * @param startsPaused whether nothing in the cluster runs until people resume it
 * @param httpNames of hosts for which API, health port and the merchant's control may be asked
 * @param healthPort where health and metrics are served alone; empty for the port of all else
 * @param keepAlive how long the API keeps an idle connection
 * @param queues that a worker serves; empty for all
 * @param firesSchedules whether a worker also fires schedules
 * @param attemptDays for how many days attempts are kept that did not end their job
 * @param shutdownDelay for how long requests are served after the process was told to stop
 * @param deliveryAllow networks and names that deliveries may reach beyond public addresses
 * @param deliveryTimeout of an attempt of a delivery, whatever its job says
 * @param deliveryProxy which deliveries go through; {@code null} for none
 * @param secrets encrypts the keys of destinations and of exports
 * @param merchantPort the echo merchant's; its control has the next one
 * @param logFormat {@code text}, or {@code ecs} for JSON
 * @param logLevel the least one that is logged
 * @param exportsTraces whether spans go to a collector of OpenTelemetry
 * @param home where the demo keeps its database and log, and each node which database it knows
 */
public record Settings(
    DatabaseConfig database,
    List<SecretFile> secretFiles,
    boolean migrate,
    boolean startsPaused,
    String httpHost,
    AccessConfig access,
    int httpPort,
    List<String> httpNames,
    OptionalInt healthPort,
    Duration keepAlive,
    List<String> queues,
    int concurrency,
    boolean firesSchedules,
    Duration lease,
    int historyDays,
    int attemptDays,
    Duration drain,
    Duration shutdownDelay,
    String deliveryAllow,
    Duration deliveryTimeout,
    @Nullable DeliveryProxy deliveryProxy,
    SecretBox secrets,
    String merchantHost,
    int merchantPort,
    String logFormat,
    String logLevel,
    boolean exportsTraces,
    Path home) {

  private static final int MAX_PORT = 65_535;
  private static final List<String> LOG_LEVELS = List.of("error", "warn", "info", "debug", "trace");

  // Strict about hosts: the driver's errors repeat whatever else stands before the first slash.
  private static final String DB_HOST = "([^:,@%/?\\[\\]\\s]+|\\[[^@/?\\]]+])(:\\d{1,5})?";
  private static final String DB_URL =
      "jdbc:postgresql://" + DB_HOST + "(," + DB_HOST + ")*/[^/?]+(\\?.*)?";

  /** The same from variables alone. */
  public static Settings read(Map<String, String> variables) {
    return read(Given.of(variables));
  }

  /**
   * Reads the settings.
   *
   * @throws CannotStart with every rule that is broken
   */
  public static Settings read(Given given) {
    Environment environment = new Environment(given);
    int historyDays = environment.whole(Setting.HISTORY_DAYS, 1, Retention.MOST_DAYS);
    Settings settings =
        new Settings(
            database(environment),
            secretFiles(environment, given.file()),
            environment.yesOrNo(Setting.MIGRATE),
            environment.oneOf(Setting.START, List.of("running", "paused")).equals("paused"),
            environment.text(Setting.HTTP_HOST),
            access(environment),
            environment.whole(Setting.HTTP_PORT, 1, MAX_PORT),
            httpNames(environment),
            environment.wholeOrNone(Setting.HEALTH_PORT, 1, MAX_PORT),
            environment.duration(
                Setting.HTTP_KEEP_ALIVE, Duration.ofSeconds(1), Duration.ofHours(1)),
            queues(environment),
            environment.whole(Setting.CONCURRENCY, 1, 100_000),
            environment.onOrOff(Setting.SCHEDULER),
            environment.duration(Setting.LEASE, Duration.ofSeconds(1), Duration.ofHours(1)),
            historyDays,
            environment
                .wholeOrNone(Setting.ATTEMPT_DAYS, 1, Retention.MOST_DAYS)
                .orElse(historyDays),
            environment.duration(Setting.DRAIN, Duration.ZERO, Duration.ofHours(1)),
            environment.duration(Setting.SHUTDOWN_DELAY, Duration.ZERO, Duration.ofHours(1)),
            deliveryAllow(environment),
            environment.duration(
                Setting.DELIVERY_TIMEOUT, Duration.ofSeconds(1), NewJob.MAX_TIMEOUT),
            deliveryProxy(environment),
            secrets(environment),
            environment.text(Setting.MERCHANT_HOST),
            environment.whole(Setting.MERCHANT_PORT, 1, MAX_PORT - 1),
            environment.oneOf(Setting.LOG_FORMAT, List.of("text", "ecs")),
            environment.oneOf(Setting.LOG_LEVEL, LOG_LEVELS),
            environment.oneOf(Setting.TRACES, List.of("off", "otlp")).equals("otlp"),
            environment.path(Setting.HOME));
    environment.require(
        settings.healthPort.orElse(0) != settings.httpPort,
        Setting.HEALTH_PORT,
        "must differ from EBB_HTTP_PORT");
    environment.require(
        settings.attemptDays <= settings.historyDays,
        Setting.ATTEMPT_DAYS,
        "must not exceed EBB_HISTORY_DAYS, which is " + settings.historyDays);
    if (!environment.broken().isEmpty()) {
      throw CannotStart.wrongUse(String.join("\n", environment.broken()));
    }
    return settings;
  }

  /** A sentence for each variable {@code EBB_…} that is none of the settings. */
  public static List<String> unknown(Map<String, String> variables) {
    List<String> known = Stream.of(Setting.values()).map(Setting::variable).toList();
    return variables.keySet().stream()
        .filter(name -> name.startsWith("EBB_") && !known.contains(name))
        .sorted()
        .map(name -> name + " is not a setting." + NearMiss.question(name, known))
        .toList();
  }

  /** The same on another database. */
  public Settings withDatabase(DatabaseConfig database, boolean migrate) {
    return with(database, migrate, access, deliveryAllow, secrets);
  }

  /** The same with keys that encrypt secrets. */
  public Settings withSecrets(SecretBox secrets) {
    return with(database, migrate, access, deliveryAllow, secrets);
  }

  /** The same with other addresses that deliveries may reach. */
  public Settings withDeliveryAllow(String deliveryAllow) {
    return with(database, migrate, access, deliveryAllow, secrets);
  }

  /** The same for other callers. */
  public Settings withAccess(AccessConfig access) {
    return with(database, migrate, access, deliveryAllow, secrets);
  }

  private Settings with(
      DatabaseConfig database,
      boolean migrate,
      AccessConfig access,
      String deliveryAllow,
      SecretBox secrets) {
    return new Settings(
        database,
        secretFiles,
        migrate,
        startsPaused,
        httpHost,
        access,
        httpPort,
        httpNames,
        healthPort,
        keepAlive,
        queues,
        concurrency,
        firesSchedules,
        lease,
        historyDays,
        attemptDays,
        drain,
        shutdownDelay,
        deliveryAllow,
        deliveryTimeout,
        deliveryProxy,
        secrets,
        merchantHost,
        merchantPort,
        logFormat,
        logLevel,
        exportsTraces,
        home);
  }

  private static DatabaseConfig database(Environment environment) {
    String url =
        environment.read(
            Setting.DB_URL,
            "must be jdbc:postgresql://host:port/database, with nothing before the host: user and"
                + " password belong in EBB_DB_USER and EBB_DB_PASSWORD or EBB_DB_PASSWORD_FILE",
            text -> text.matches(DB_URL) ? text : null);
    environment.require(
        !url.matches("(?i).*[?&](password|sslpassword)=.*"),
        Setting.DB_URL,
        "must not carry a password: set EBB_DB_PASSWORD or EBB_DB_PASSWORD_FILE instead");
    String user = environment.text(Setting.DB_USER);
    String password = password(environment);
    DatabaseConfig config =
        DatabaseConfig.of(url, user.isEmpty() ? null : user, password)
            .withPoolSize(environment.whole(Setting.DB_POOL, 2, 200))
            .withMemory(environment.path(Setting.HOME).resolve("databases"));
    if (environment.has(Setting.DB_PASSWORD_FILE)) {
      config = config.withPasswordFile(environment.path(Setting.DB_PASSWORD_FILE));
    }
    return environment.yesOrNo(Setting.DB_POOLER) ? config.behindPooler() : config;
  }

  private static List<String> httpNames(Environment environment) {
    List<String> names = environment.list(Setting.HTTP_NAMES);
    try {
      var _ = ServedHosts.of(environment.text(Setting.HTTP_HOST), names);
    } catch (InvalidInput invalid) {
      environment.require(false, Setting.HTTP_NAMES, invalid.rule());
    }
    return names;
  }

  private static AccessConfig access(Environment environment) {
    boolean asksForTokens = environment.onOrOff(Setting.AUTH);
    List<String> masked = environment.list(Setting.PAYLOAD_MASK);
    String admin = secret(environment, Setting.ADMIN_TOKEN, Setting.ADMIN_TOKEN_FILE);
    OptionalInt perMinute = environment.wholeOrNone(Setting.REQUESTS_PER_MINUTE, 1, 1_000_000);
    try {
      AccessConfig asked =
          asksForTokens
              ? AccessConfig.of(admin, masked.isEmpty() ? List.of("") : masked)
              : AccessConfig.openToAll();
      return asked
          .withCardNumbers(cardNumbers(environment))
          .withReadOnly(environment.yesOrNo(Setting.READ_ONLY))
          .withOrigins(environment.list(Setting.CORS_ORIGINS))
          .withRequestsPerMinute(perMinute.isPresent() ? perMinute.getAsInt() : null);
    } catch (InvalidInput invalid) {
      environment.require(false, ofAccess(environment, invalid.field()), invalid.rule());
      return AccessConfig.closed();
    }
  }

  private static CardNumberRule cardNumbers(Environment environment) {
    String word = environment.oneOf(Setting.CARD_NUMBERS, List.of("allow", "mask", "refuse"));
    return CardNumberRule.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static Setting ofAccess(Environment environment, String field) {
    return switch (field) {
      case "masked" -> Setting.PAYLOAD_MASK;
      case "origins" -> Setting.CORS_ORIGINS;
      default ->
          environment.has(Setting.ADMIN_TOKEN_FILE)
              ? Setting.ADMIN_TOKEN_FILE
              : Setting.ADMIN_TOKEN;
    };
  }

  private static String deliveryAllow(Environment environment) {
    String allow = environment.text(Setting.DELIVERY_ALLOW);
    try {
      return HttpHandlerConfig.defaults().withAllow(allow).allow();
    } catch (InvalidInput invalid) {
      environment.require(false, Setting.DELIVERY_ALLOW, invalid.rule());
      return "";
    }
  }

  private static @Nullable DeliveryProxy deliveryProxy(Environment environment) {
    Setting file = Setting.DELIVERY_PROXY_FILE;
    String url = secret(environment, Setting.DELIVERY_PROXY, file);
    try {
      return url == null
          ? null
          : new DeliveryProxy(url, environment.has(file) ? environment.path(file) : null);
    } catch (InvalidInput invalid) {
      environment.require(
          false, environment.has(file) ? file : Setting.DELIVERY_PROXY, invalid.rule());
      return null;
    }
  }

  private static SecretBox secrets(Environment environment) {
    Setting file = Setting.SECRETS_KEY_FILE;
    String keys = secret(environment, Setting.SECRETS_KEY, file);
    try {
      return keys == null ? SecretBox.NONE : SecretBox.parse(keys);
    } catch (InvalidInput invalid) {
      environment.require(
          false, environment.has(file) ? file : Setting.SECRETS_KEY, invalid.rule());
      return SecretBox.NONE;
    }
  }

  private static @Nullable String password(Environment environment) {
    return secret(environment, Setting.DB_PASSWORD, Setting.DB_PASSWORD_FILE);
  }

  /** The setting's value, or the first line of the file that the other one names. */
  private static @Nullable String secret(Environment environment, Setting value, Setting file) {
    if (!environment.has(file)) {
      return environment.has(value) ? environment.text(value) : null;
    }
    environment.require(
        !environment.has(value), value, "must not be given together with " + file.variable());
    return environment.firstLine(file);
  }

  private static List<SecretFile> secretFiles(
      Environment environment, @Nullable ConfigFile config) {
    Stream<SecretFile> named =
        Stream.of(
                Setting.DB_PASSWORD_FILE,
                Setting.ADMIN_TOKEN_FILE,
                Setting.DELIVERY_PROXY_FILE,
                Setting.SECRETS_KEY_FILE)
            .filter(environment::has)
            .map(file -> new SecretFile(environment.path(file)));
    return config != null && config.hasSecrets()
        ? Stream.concat(Stream.of(new SecretFile(config.path())), named).toList()
        : named.toList();
  }

  private static List<String> queues(Environment environment) {
    List<String> queues = environment.list(Setting.QUEUES);
    for (String queue : queues) {
      try {
        NewJob.requireQueue(queue);
      } catch (InvalidInput invalid) {
        environment.require(false, Setting.QUEUES, "has \"" + queue + "\": each " + invalid.rule());
      }
    }
    return queues;
  }
}
