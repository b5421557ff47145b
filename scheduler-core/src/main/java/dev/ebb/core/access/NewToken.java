package dev.ebb.core.access;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.Text;
import dev.ebb.core.job.NewJob;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A token to create. The rules named here are checked when it is built; a broken one throws {@link
 * InvalidInput}.
 *
 * @param name by which people know it: 1 to {@value #MAX_NAME} visible characters
 * @param scopes at least one
 * @param lifetime after which it is refused, one minute to ten years; {@code null} for no end
 * @param queues from which it may take jobs, at most {@value #MAX_QUEUES}; {@code null} for all
 */
public record NewToken(
    String name, Set<Scope> scopes, @Nullable Duration lifetime, @Nullable List<String> queues) {
  private static final int MAX_NAME = 100;
  private static final int MAX_QUEUES = 100;

  /** These say who made a token where no token did. */
  private static final List<String> RESERVED = List.of("./ebb", "EBB_ADMIN_TOKEN", "anybody");

  /** One that is not bound to queues. */
  public NewToken(String name, Set<Scope> scopes, @Nullable Duration lifetime) {
    this(name, scopes, lifetime, null);
  }

  public NewToken {
    require(
        !name.isBlank()
            && name.length() <= MAX_NAME
            && Text.isStorable(name)
            && name.codePoints().noneMatch(NewToken::isInvisible),
        "name",
        "must be 1 to " + MAX_NAME + " visible characters");
    require(!RESERVED.contains(name), "name", "must not be " + String.join(", ", RESERVED));
    require(!scopes.isEmpty(), "scopes", "must name at least one scope");
    scopes = Set.copyOf(scopes);
    if (lifetime != null) {
      InvalidInput.requireBetween(
          lifetime, Duration.ofMinutes(1), InvalidInput.MAX_DURATION, "lifetime");
    }
    if (queues != null) {
      requireQueues(queues, scopes);
      queues = List.copyOf(queues);
    }
  }

  private static void requireQueues(List<String> queues, Set<Scope> scopes) {
    require(
        !queues.isEmpty() && queues.size() <= MAX_QUEUES,
        "queues",
        "must name 1 to " + MAX_QUEUES + " queues");
    require(
        scopes.contains(Scope.JOBS_WORK),
        "queues",
        "must be absent without the scope " + Scope.JOBS_WORK.word());
    queues.forEach(queue -> NewJob.requireQueue(queue, "queues"));
  }

  private static boolean isInvisible(int codePoint) {
    return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.FORMAT;
  }
}
