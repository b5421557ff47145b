package dev.ebb.core.access;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.NearMiss;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A right that a token has. */
public enum Scope {
  /** Submit jobs. */
  JOBS_SUBMIT,
  /** Take jobs with their payloads, run them, and tell how they ended. */
  JOBS_WORK,
  /** See jobs, with what people did to them, queues and policies, without payloads. */
  JOBS_READ,
  /**
   * See what is masked from others: payloads, and the bodies of deliveries and their answers; and
   * the audit: who did what, why and from where.
   */
  PAYLOAD_READ,
  /** Cancel, retry, redrive, hold, change and clone jobs; pause and resume queues; drain nodes. */
  JOBS_OPERATE,
  /** Change the settings of queues, and stored policies. */
  QUEUES_ADMIN,
  /** Make and revoke tokens. */
  TOKENS_ADMIN;

  /** The name in REST and on the command line, such as {@code jobs:submit}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', ':');
  }

  /** Whether it lets see, and change nothing. */
  public boolean isReading() {
    return this == JOBS_READ || this == PAYLOAD_READ;
  }

  /** The words of the scopes, in the order of this enum. */
  public static List<String> words(Collection<Scope> scopes) {
    return scopes.stream().sorted().map(Scope::word).toList();
  }

  /** The scopes of these words; throws {@link InvalidInput} on the field {@code scopes}. */
  public static Set<Scope> parse(Collection<String> words) {
    InvalidInput.require(!words.isEmpty(), "scopes", "must name at least one scope");
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    words.forEach(word -> scopes.add(parse(word)));
    return Collections.unmodifiableSet(scopes);
  }

  private static Scope parse(String word) {
    return find(word).orElseThrow(() -> new InvalidInput("scopes", rule(word)));
  }

  /** The scopes among these words that this version knows: a later one may have stored more. */
  public static Set<Scope> known(Collection<String> words) {
    return words.stream()
        .flatMap(word -> find(word).stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Optional<Scope> find(String word) {
    return Arrays.stream(values()).filter(scope -> scope.word().equals(word)).findFirst();
  }

  private static String rule(String word) {
    List<String> known = words(List.of(values()));
    return "must be among " + String.join(", ", known) + "." + NearMiss.question(word, known);
  }
}
