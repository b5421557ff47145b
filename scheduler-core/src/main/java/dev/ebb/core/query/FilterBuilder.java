package dev.ebb.core.query;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.NearMiss;
import dev.ebb.core.Text;
import dev.ebb.core.UuidText;
import dev.ebb.core.job.NewJob;
import dev.ebb.core.query.Condition.Comparison;
import dev.ebb.core.query.JobFilter.Period;
import dev.ebb.core.query.JobFilter.Range;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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
  private static final Pattern DAY = Pattern.compile("[0-9]{4}-");
  private static final Set<Comparison> EQUAL = EnumSet.of(Comparison.IS, Comparison.EQUALS);
  private static final String NOTHING = "excludes everything that the conditions before it allow";

  private final Set<Phase> phases = EnumSet.allOf(Phase.class);
  private Terms queues = Terms.NONE;
  private Terms kinds = Terms.NONE;
  private Terms labels = Terms.NONE;
  private Terms errors = Terms.NONE;
  private Terms words = Terms.NONE;
  private Range attempts = Range.ANY;
  private Period created = Period.ANY;
  private Period ended = Period.ANY;
  private Period due = Period.ANY;
  private @Nullable UUID group;
  private @Nullable String uniqueKey;
  private @Nullable String orderingKey;
  private @Nullable String payload;
  private @Nullable String subject;
  private @Nullable String destination;
  private final SortedMap<String, String> payloadFields = new TreeMap<>();

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
        orderingKey,
        attempts,
        created,
        ended,
        due,
        PayloadSearch.of(payload, payloadFields),
        subject,
        destination);
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
      case "subject" -> subject = single(subject, condition);
      case "destination" -> destination = host(destination, condition);
      case "error" -> errors = text(errors, condition);
      case "group" -> group = id(group, condition);
      case "key" -> uniqueKey = single(uniqueKey, condition);
      case "ordering" -> orderingKey = single(orderingKey, condition);
      case "payload" -> payload = single(payload, condition);
      case "attempts" -> attempts(condition);
      case "age" -> created = aged(created, condition);
      case "created" -> created = timed(created, condition);
      case "ended" -> ended = ended(ended, condition);
      case "due" -> due = due(condition);
      default -> named(condition);
    }
    return this;
  }

  private void named(Condition condition) {
    if (condition.field().startsWith(PayloadSearch.PREFIX)) {
      String path = PayloadSearch.path(condition.field());
      PayloadSearch.put(payloadFields, path, condition);
    } else {
      labels = text(labels, namedLabel(condition));
    }
  }

  /** What is no field is the name of a label, if it stands like one: {@code merchant=acme}. */
  private static Condition namedLabel(Condition condition) {
    if (condition.comparison() != Comparison.EQUALS) {
      throw unknown(condition.field());
    }
    List<String> pairs =
        condition.values().stream().map(value -> condition.field() + "=" + value).toList();
    return new Condition("label", Comparison.IS, pairs, condition.negated());
  }

  private static InvalidInput unknown(String field) {
    return new InvalidInput(
        field,
        "is not a field: fields are "
            + String.join(", ", FIELDS)
            + NearMiss.of(field, FIELDS).map(near -> "; did you mean " + near + "?").orElse("")
            + ". Put a word with a comparison sign in quotes");
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
        "takes only the comparison ':'");
  }

  private static void requireOrder(Condition condition) {
    require(
        !condition.negated(),
        condition.field(),
        "must not be negated: reverse the comparison instead");
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

  private static String host(@Nullable String before, Condition condition) {
    return single(before, condition).toLowerCase(Locale.ROOT);
  }

  private static UUID id(@Nullable UUID before, Condition condition) {
    String text = single(before == null ? null : before.toString(), condition);
    require(UuidText.matches(text), condition.field(), "must be a UUID");
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

  private static Period aged(Period period, Condition condition) {
    requireBound(condition);
    Duration age = Times.duration(condition.field(), condition.value());
    return period.and(condition.comparison(), age);
  }

  private static Period timed(Period period, Condition condition) {
    requireBound(condition);
    Instant time = Times.instant(condition.field(), condition.value());
    return period.and(condition.comparison(), time);
  }

  /** How long ago it ended, or when. */
  private static Period ended(Period period, Condition condition) {
    return DAY.matcher(condition.value()).lookingAt()
        ? timed(period, condition)
        : aged(period, condition);
  }

  /** In how long it is due, or when. */
  private Period due(Condition condition) {
    requireBound(condition);
    phases.retainAll(Phase.WAITING);
    require(!phases.isEmpty(), condition.field(), NOTHING);
    if (DAY.matcher(condition.value()).lookingAt()) {
      return timed(due, condition);
    }
    Duration until = Times.duration(condition.field(), condition.value());
    return due.and(condition.comparison().reversed(), until.negated());
  }

  private static void requireBound(Condition condition) {
    requireOrder(condition);
    require(!EQUAL.contains(condition.comparison()), condition.field(), "takes <, <=, > or >=");
  }
}
