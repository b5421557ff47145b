package dev.ebb.core.query;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.NearMiss;
import dev.ebb.core.Text;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.query.Condition.Comparison;
import dev.ebb.core.query.JobFilter.Created;
import dev.ebb.core.query.JobFilter.Range;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Collects conditions into a filter; each narrows it, in whatever order they come. */
public final class FilterBuilder {
  /** The fields of a condition. */
  public static final List<String> FIELDS = QueryField.ALL.stream().map(QueryField::name).toList();

  private static final Pattern LABEL = Pattern.compile("(?s)([^=:]+)[=:](.*)");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,4}");
  private static final Pattern ID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final String NOTHING = "leaves nothing of what the conditions before it let pass";

  private final Set<Phase> phases = EnumSet.allOf(Phase.class);
  private Terms queues = Terms.NONE;
  private Terms kinds = Terms.NONE;
  private Terms labels = Terms.NONE;
  private Terms errors = Terms.NONE;
  private Terms words = Terms.NONE;
  private Range attempts = Range.ANY;
  private @Nullable UUID group;
  private @Nullable String uniqueKey;
  private @Nullable String payload;
  private @Nullable Instant from;
  private @Nullable Instant before;
  private @Nullable Duration leastAge;
  private @Nullable Duration mostAge;

  /** The filter that every condition narrowed. */
  public JobFilter build() {
    return new JobFilter(
        phases,
        queues,
        kinds,
        labels,
        errors,
        group,
        words,
        uniqueKey,
        attempts,
        new Created(from, before, leastAge, mostAge),
        payload);
  }

  /** Narrows the filter; throws {@link InvalidInput} on the condition's field. */
  public FilterBuilder add(Condition condition) {
    check(condition);
    switch (condition.field()) {
      case "" -> words = text(words, condition);
      case "state" -> states(condition);
      case "queue" -> queues = name(queues, condition, NewJob::requireQueue);
      case "kind" -> kinds = name(kinds, condition, NewJob::requireKind);
      case "label" -> labels = text(labels, labelled(condition));
      case "error" -> errors = text(errors, condition);
      case "group" -> group = id(group, condition);
      case "key" -> uniqueKey = single(uniqueKey, condition);
      case "payload" -> payload = single(payload, condition);
      case "attempts" -> attempts(condition);
      case "age" -> age(condition);
      case "created" -> created(condition);
      default -> throw unknown(condition.field());
    }
    return this;
  }

  private static InvalidInput unknown(String field) {
    return new InvalidInput(
        field,
        "is no field: fields are "
            + String.join(", ", FIELDS)
            + NearMiss.of(field, FIELDS).map(near -> "; did you mean " + near + "?").orElse("")
            + ". Quote a word that has a sign of comparison in it");
  }

  private static void check(Condition condition) {
    for (String value : condition.values()) {
      require(!value.isEmpty(), condition.field(), "must have a value");
      require(Text.isStorable(value), condition.field(), "must not contain NUL or lone surrogates");
    }
  }

  private static void requireIs(Condition condition) {
    require(
        condition.comparison() == Comparison.IS,
        condition.field(),
        "takes ':' and no other comparison");
  }

  private static void requireOrder(Condition condition) {
    require(
        !condition.negated(),
        condition.field(),
        "must not be negated: turn the comparison around instead");
  }

  private void states(Condition condition) {
    requireIs(condition);
    Set<Phase> named = EnumSet.noneOf(Phase.class);
    for (String word : condition.values()) {
      Set<Phase> meant = Phase.of(word);
      if (meant == null) {
        throw new InvalidInput("state", Phase.rule(word));
      }
      named.addAll(meant);
    }
    if (condition.negated()) {
      phases.removeAll(named);
    } else {
      phases.retainAll(named);
    }
    require(!phases.isEmpty(), "state", NOTHING);
  }

  private static Terms name(Terms terms, Condition condition, Consumer<String> rule) {
    requireIs(condition);
    condition.values().forEach(rule);
    if (condition.negated()) {
      return terms.unwanting(condition.values());
    }
    Terms narrowed = terms.wantingOneOf(condition.values());
    require(!narrowed.wanted().isEmpty(), condition.field(), NOTHING);
    return narrowed;
  }

  private static Terms text(Terms terms, Condition condition) {
    requireIs(condition);
    return condition.negated()
        ? terms.unwanting(condition.values())
        : terms.wanting(condition.values());
  }

  private static Condition labelled(Condition condition) {
    List<String> pairs =
        condition.values().stream()
            .map(value -> {
              var pair = LABEL.matcher(value);
              require(pair.matches(), "label", "must have the form name=value");
              return pair.group(1) + "=" + pair.group(2);
            })
            .toList();
    return new Condition("label", condition.comparison(), pairs, condition.negated());
  }

  private static String single(@Nullable String before, Condition condition) {
    requireIs(condition);
    require(!condition.negated(), condition.field(), "must not be negated");
    require(
        before == null && condition.values().size() == 1,
        condition.field(),
        "must not be given twice");
    return condition.value();
  }

  private static UUID id(@Nullable UUID before, Condition condition) {
    String text = single(before == null ? null : before.toString(), condition);
    require(ID.matcher(text).matches(), condition.field(), "must be a UUID");
    return UUID.fromString(text);
  }

  private void attempts(Condition condition) {
    requireOrder(condition);
    require(
        NUMBER.matcher(condition.value()).matches(),
        "attempts",
        "must be a whole number of at most four digits");
    int number = Integer.parseInt(condition.value());
    attempts =
        switch (condition.comparison()) {
          case IS, EQUALS -> attempts.and(number, number);
          case ABOVE -> attempts.and(number + 1, Integer.MAX_VALUE);
          case AT_LEAST -> attempts.and(number, Integer.MAX_VALUE);
          case BELOW -> attempts.and(0, number - 1);
          case AT_MOST -> attempts.and(0, number);
        };
    require(attempts.least() <= attempts.most(), "attempts", NOTHING);
  }

  private void age(Condition condition) {
    requireOrder(condition);
    Duration age = Times.duration("age", condition.value());
    switch (condition.comparison()) {
      case ABOVE, AT_LEAST ->
          leastAge = leastAge == null || age.compareTo(leastAge) > 0 ? age : leastAge;
      case BELOW, AT_MOST ->
          mostAge = mostAge == null || age.compareTo(mostAge) < 0 ? age : mostAge;
      case IS, EQUALS -> throw needsOrder("age");
    }
  }

  private void created(Condition condition) {
    requireOrder(condition);
    Instant time = Times.instant("created", condition.value());
    Instant next = time.plus(1, ChronoUnit.MICROS);
    switch (condition.comparison()) {
      case ABOVE -> from = from == null || next.isAfter(from) ? next : from;
      case AT_LEAST -> from = from == null || time.isAfter(from) ? time : from;
      case BELOW -> before = before == null || time.isBefore(before) ? time : before;
      case AT_MOST -> before = before == null || next.isBefore(before) ? next : before;
      case IS, EQUALS -> throw needsOrder("created");
    }
  }

  private static InvalidInput needsOrder(String field) {
    return new InvalidInput(field, "takes <, <=, > or >=");
  }
}
