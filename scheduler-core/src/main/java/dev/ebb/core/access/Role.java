package dev.ebb.core.access;

import static dev.ebb.core.access.Scope.JOBS_OPERATE;
import static dev.ebb.core.access.Scope.JOBS_READ;
import static dev.ebb.core.access.Scope.JOBS_WORK;
import static dev.ebb.core.access.Scope.PAYLOAD_READ;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.NearMiss;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The bundles of scopes that people have; programs that submit have {@code jobs:submit} alone. */
public enum Role {
  /** Sees everything but payloads, and of the audit what was done to a job. */
  VIEWER,
  /** Sees everything, payloads and the audit too, and changes nothing. */
  AUDITOR,
  /** Mends what failed. */
  OPERATOR,
  /** May do everything. */
  ADMIN,
  /** Takes jobs and runs them: for programs that poll. */
  WORKER;

  public Set<Scope> scopes() {
    return switch (this) {
      case VIEWER -> Set.of(JOBS_READ);
      case AUDITOR -> Set.of(JOBS_READ, PAYLOAD_READ);
      case WORKER -> Set.of(JOBS_WORK);
      case OPERATOR -> Set.of(JOBS_READ, PAYLOAD_READ, JOBS_OPERATE);
      case ADMIN -> Set.of(Scope.values());
    };
  }

  /** The name in REST and on the command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The role of that word; throws {@link InvalidInput} on the field {@code role}. */
  public static Role parse(String word) {
    return Arrays.stream(values())
        .filter(role -> role.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new InvalidInput("role", rule(word)));
  }

  private static String rule(String word) {
    List<String> known = Arrays.stream(values()).map(Role::word).toList();
    return "must be one of " + String.join(", ", known) + "." + NearMiss.question(word, known);
  }

  /** The role that has exactly these scopes. */
  public static Optional<Role> of(Set<Scope> scopes) {
    return Arrays.stream(values()).filter(role -> role.scopes().equals(scopes)).findFirst();
  }
}
