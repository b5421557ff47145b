package dev.ebb.db.queue;

import dev.ebb.core.http.Destination;
import dev.ebb.core.http.Masking;
import dev.ebb.core.http.ResponseClass;
import dev.ebb.core.http.SuccessRule;
import dev.ebb.core.job.Ordering;
import dev.ebb.core.signing.KeyShare;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.db.audit.Changes;
import dev.ebb.db.json.CircuitRuleJson;
import dev.ebb.db.json.OrderingJson;
import dev.ebb.db.json.ResponseRulesJson;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What becomes of a queue's settings, for the audit. */
final class QueueChanges {
  private QueueChanges() {}

  /**
   * What differs.
   *
   * @param before {@code null} where there were none
   * @param after {@code null} where there are none any more
   */
  static Changes of(@Nullable QueueView before, @Nullable QueueView after) {
    Changes changes =
        new Changes()
            .add("paused", get(before, QueueSettings::paused), get(after, QueueSettings::paused))
            .add("pausedUntil", until(before), until(after))
            .add("policy", get(before, QueueChanges::policy), get(after, QueueChanges::policy))
            .add(
                "rateLimit",
                get(before, QueueSettings::rateLimit),
                get(after, QueueSettings::rateLimit))
            .add(
                "maxConcurrency",
                get(before, QueueSettings::maxConcurrency),
                get(after, QueueSettings::maxConcurrency))
            .add(
                "maxDepth",
                get(before, QueueSettings::maxDepth),
                get(after, QueueSettings::maxDepth))
            .add("weight", get(before, QueueSettings::weight), get(after, QueueSettings::weight))
            .add(
                "labelsFrom",
                get(before, QueueChanges::labelsFrom),
                get(after, QueueChanges::labelsFrom))
            .add(
                "ordering",
                get(before, QueueChanges::ordering),
                get(after, QueueChanges::ordering));
    Destination was = get(before, QueueSettings::destination);
    Destination is = get(after, QueueSettings::destination);
    return changes
        .add("url", get(was, QueueChanges::url), get(is, QueueChanges::url))
        .addHidden("url", secretUrl(was, is), secretUrl(is, was))
        .add("method", get(was, Destination::method), get(is, Destination::method))
        .addHidden("headers", get(was, QueueChanges::headers), get(is, QueueChanges::headers))
        .add("success", get(was, QueueChanges::success), get(is, QueueChanges::success))
        .add("classes", get(was, QueueChanges::classes), get(is, QueueChanges::classes))
        .add("result", get(was, QueueChanges::result), get(is, QueueChanges::result))
        .add("timeout", get(was, Destination::timeout), get(is, Destination::timeout))
        .add("circuit", get(was, QueueChanges::circuit), get(is, QueueChanges::circuit))
        .add("labels", get(was, Destination::labels), get(is, Destination::labels))
        .add("signing", get(was, QueueChanges::signing), get(is, QueueChanges::signing))
        .addHidden("tls", get(was, Destination::tls), get(is, Destination::tls));
  }

  /** The URL as it is, where it differs from the other only in what is masked. */
  private static @Nullable String secretUrl(
      @Nullable Destination destination, @Nullable Destination other) {
    return destination != null && other != null && url(destination).equals(url(other))
        ? destination.url().toString()
        : null;
  }

  private static String url(Destination destination) {
    return Masking.url(destination.url().toString());
  }

  private static Object headers(Destination destination) {
    return List.of(destination.headers(), destination.sealedHeaders());
  }

  private static String success(Destination destination) {
    SuccessRule rule = destination.rules().success();
    String name = ResponseRulesJson.name(rule);
    return name == null ? text(ResponseRulesJson.shown(rule)) : name;
  }

  private static @Nullable String classes(Destination destination) {
    List<ResponseClass> classes = destination.rules().classes();
    return classes.isEmpty() ? null : text(ResponseRulesJson.shown(classes));
  }

  private static String circuit(Destination destination) {
    return text(CircuitRuleJson.shown(destination.circuit()));
  }

  private static @Nullable Object result(Destination destination) {
    return destination.rules().result().isEmpty() ? null : destination.rules().result();
  }

  private static @Nullable String signing(Destination destination) {
    List<SigningKey> keys = destination.signing();
    return keys.isEmpty()
        ? null
        : keys.stream().map(QueueChanges::key).collect(Collectors.joining(", "));
  }

  private static String key(SigningKey key) {
    return key.id()
        + " ("
        + key.scheme().word()
        + (key.expiresAt() == null ? "" : " until " + key.expiresAt())
        + (key.share() == null ? "" : ", " + share(key.share()))
        + ")";
  }

  private static String share(KeyShare share) {
    return share.percent()
        + " %"
        + (share.wholeAt() == null ? "" : " at " + share.since() + ", all at " + share.wholeAt());
  }

  private static String text(Object shown) {
    return JsonMapper.shared().writeValueAsString(shown);
  }

  /** By its name where it follows one. */
  private static @Nullable Object policy(QueueSettings settings) {
    return settings.policyName() == null ? settings.policy() : settings.policyName();
  }

  private static @Nullable Object labelsFrom(QueueSettings settings) {
    return settings.labelsFrom().isEmpty() ? null : settings.labelsFrom();
  }

  private static @Nullable String ordering(QueueSettings settings) {
    Ordering ordering = settings.ordering();
    return ordering == null ? null : OrderingJson.write(ordering).toString();
  }

  private static <T> @Nullable T get(
      @Nullable QueueView view, Function<QueueSettings, @Nullable T> field) {
    return view == null ? null : field.apply(view.settings());
  }

  private static @Nullable Object get(
      @Nullable Destination destination, Function<Destination, @Nullable Object> field) {
    return destination == null ? null : field.apply(destination);
  }

  private static @Nullable Instant until(@Nullable QueueView view) {
    return view == null || view.pause() == null ? null : view.pause().until();
  }
}
