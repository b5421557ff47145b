package dev.ebb.api.access;

import dev.ebb.core.access.AccessToken;
import dev.ebb.db.access.LiveToken;
import dev.ebb.db.access.Tokens;
import dev.ebb.db.connection.StatementLimit;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All live tokens, as this node read them a moment ago.
 *
 * <pre>
 *   younger than 2 s ──────────────────────────────────▶ used
 *   younger than 5 s ──▶ one request reads, the others use it
 *   older             ──▶ nobody is let in before it is read anew
 * </pre>
 *
 * A token that is not among them has them read anew, at most twenty times a second, so that a new
 * token soon works and an unknown one costs next to nothing. While nobody asks, nothing is read.
 */
final class KnownTokens {
  private static final Logger LOG = LoggerFactory.getLogger(KnownTokens.class);
  private static final Duration FRESH = Duration.ofSeconds(2);
  private static final Duration USABLE = Duration.ofSeconds(5);
  private static final Duration UNKNOWN = Duration.ofMillis(50);
  private static final Duration NOTED = Duration.ofMinutes(1);
  private static final Duration GATHERED = Duration.ofSeconds(1);

  private final Tokens tokens;
  private final LongSupplier nanoTime;
  private final ReentrantLock reading = new ReentrantLock();
  private final Map<String, Long> notedNanos = new ConcurrentHashMap<>();
  private final Set<String> used = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean writing = new AtomicBoolean();
  private final AtomicInteger changes = new AtomicInteger();
  private volatile @Nullable TokenCache known;
  private @Nullable Failed failed;

  private record TokenCache(Map<String, LiveToken> byId, long readNanos) {}

  private record Failed(SQLException cause, long nanos) {}

  KnownTokens(Tokens tokens, LongSupplier nanoTime) {
    this.tokens = tokens;
    this.nanoTime = nanoTime;
  }

  /**
   * The live token of this text.
   *
   * @throws SQLException if the tokens were last read more than five seconds ago, and cannot be now
   */
  Optional<LiveToken> find(String text) throws SQLException {
    String id = AccessToken.id(text).orElse(null);
    LiveToken found = id == null ? null : live(id);
    if (found == null || !AccessToken.isSame(found.hash(), AccessToken.hash(text))) {
      return Optional.empty();
    }
    note(found.id());
    return Optional.of(found);
  }

  /** The live token of this id, which a session names; used as if its text had come. */
  Optional<LiveToken> withId(String id) throws SQLException {
    LiveToken found = live(id);
    if (found != null) {
      note(id);
    }
    return Optional.ofNullable(found);
  }

  private @Nullable LiveToken live(String id) throws SQLException {
    LiveToken found = read(FRESH).byId().get(id);
    return found == null ? read(UNKNOWN).byId().get(id) : found;
  }

  /** Has them read anew for the next request, because this node has changed one. */
  void changed() {
    changes.incrementAndGet();
    known = null;
  }

  private TokenCache read(Duration age) throws SQLException {
    TokenCache now = known;
    if (now != null && isYounger(now.readNanos(), age)) {
      return now;
    }
    TokenCache usable = now != null && isYounger(now.readNanos(), USABLE) ? now : null;
    if (usable == null) {
      reading.lock();
    } else if (!reading.tryLock()) {
      return usable;
    }
    try {
      return readAlone(age);
    } catch (SQLException e) {
      if (usable != null && isYounger(usable.readNanos(), USABLE)) {
        return usable;
      }
      throw e;
    } finally {
      reading.unlock();
    }
  }

  /** Reads them, unless somebody did, or could not, while this request waited. */
  private TokenCache readAlone(Duration age) throws SQLException {
    TokenCache now = known;
    if (now != null && isYounger(now.readNanos(), age)) {
      return now;
    }
    Failed last = failed;
    if (last != null && isYounger(last.nanos(), UNKNOWN)) {
      throw last.cause();
    }
    try {
      int before = changes.get();
      long start = nanoTime.getAsLong();
      // Others wait for the same: a page's bound must not be theirs.
      List<LiveToken> live = StatementLimit.within(Duration.ZERO, tokens::live);
      TokenCache read =
          new TokenCache(
              live.stream().collect(Collectors.toMap(LiveToken::id, Function.identity())), start);
      // What a change overtook must not outlast it.
      known = before == changes.get() ? read : null;
      notedNanos.keySet().retainAll(read.byId().keySet());
      return read;
    } catch (SQLException e) {
      failed = new Failed(e, nanoTime.getAsLong());
      throw e;
    }
  }

  private boolean isYounger(long nanos, Duration age) {
    return nanoTime.getAsLong() - nanos < age.toNanos();
  }

  /** Has its use written down, once a minute, while the request goes on. */
  private void note(String id) {
    Long before = notedNanos.get(id);
    long now = nanoTime.getAsLong();
    if (before != null && now - before < NOTED.toNanos()) {
      return;
    }
    boolean first =
        before == null
            ? notedNanos.putIfAbsent(id, now) == null
            : notedNanos.replace(id, before, now);
    if (first) {
      used.add(id);
      writeUses();
    }
  }

  /** Begins to, unless somebody has begun. */
  private void writeUses() {
    if (writing.compareAndSet(false, true)) {
      Thread.ofVirtual().name("ebb-tokens-used").start(this::writeAll);
    }
  }

  /** In one statement with what others use within the next second. */
  private void writeAll() {
    try {
      Thread.sleep(GATHERED);
      List<String> ids = List.copyOf(used);
      ids.forEach(used::remove);
      tokens.used(ids);
    } catch (SQLException | RuntimeException e) {
      LOG.warn("Uses of tokens were not written down: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      writing.set(false);
    }
    if (!used.isEmpty()) {
      writeUses();
    }
  }
}
