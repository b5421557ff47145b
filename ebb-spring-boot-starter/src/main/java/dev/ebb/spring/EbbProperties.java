package dev.ebb.spring;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an application says of Ebb, below {@code ebb}.
 *
 * @param dataSource the bean whose database has Ebb's schema
 * @param requireTransaction whether a submit without a transaction is refused
 * @param schema what is asked of the database at the start
 * @param url the server
 * @param token that the server asks for
 */
@ConfigurationProperties("ebb")
record EbbProperties(
    @Nullable String dataSource,
    @DefaultValue("false") boolean requireTransaction,
    @DefaultValue("validate") Schema schema,
    @Nullable URI url,
    @Nullable String token,
    @DefaultValue Worker worker) {

  enum Schema {
    /** The start fails unless the schema is there and the role may submit. */
    VALIDATE,
    NONE
  }

  /**
   * What runs the handlers.
   *
   * @param enabled whether this process runs them
   * @param name the worker's, among the nodes; the application's unless given
   * @param queues that it takes from; those of the handlers unless given
   * @param slots how many jobs run at a time
   * @param lease how soon others run its jobs if this process dies
   * @param grace how long jobs may go on while the application ends
   */
  record Worker(
      @DefaultValue("true") boolean enabled,
      @Nullable String name,
      @DefaultValue List<String> queues,
      @DefaultValue("10") int slots,
      @DefaultValue("15s") Duration lease,
      @DefaultValue("20s") Duration grace) {}
}
