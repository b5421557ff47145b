package dev.ebb.core.circuit;

import static dev.ebb.core.InvalidInput.require;
import static java.util.Objects.requireNonNull;

import dev.ebb.core.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The circuit of a destination: while it fails, its jobs wait untouched, and one at a time tries
 * whether it has recovered. Pure: state, votes and time go in, the next state comes out.
 *
 * <pre>
 *              too many bad votes
 *    CLOSED ──────────────────────▶ OPEN ◀──────────────┐
 *      ▲                             │ held until        │ bad: held again, twice as long
 *      │ the last of several         ▼ that time         │
 *      └──────── good ────────── HALF_OPEN ─────────────┘
 *                                 one probe at a time, each an attempt of the first job that is due
 * </pre>
 *
 * <p>One that was open for days, or whose destination says that it is gone, is disabled: its jobs
 * are kept, and a probe comes twice a day.
 *
 * <p>The pattern is Nygard's (Release It!, 2007). Its weak points elsewhere were probes without a
 * number or a lease: here each probe is an epoch of its own, so that an attempt that began earlier
 * neither closes nor opens anything, and holds the circuit for as long as its attempt may take, so
 * that a node that dies with it costs that long. One probe in the whole cluster, because the state
 * is changed under the queue's lock.
 *
 * <p>A policy's deadline stands still while the circuit is not closed, for up to {@link
 * #LONGEST_STILL}; a job that became due meanwhile gets an attempt before it is given up, however
 * late it is.
 *
 * @param epoch grows with each change of the phase and each probe: votes of another epoch do not
 *     count
 * @param since when the phase began
 * @param heldUntil nothing starts before then; {@code null} if nothing is held. Of a closed one
 *     because the destination asked for it
 * @param outage while it is not closed; {@code null} if it is
 * @param reason of the failure that opened it last; {@code null} if it never opened
 * @param spells the last times in which it kept jobs, by their ends
 */
public record Circuit(
    Phase phase,
    long epoch,
    Instant since,
    @Nullable Instant heldUntil,
    @Nullable Outage outage,
    Tally tally,
    @Nullable String reason,
    List<Spell> spells) {
  /** A deadline stands still no longer than this. */
  public static final Duration LONGEST_STILL = Duration.ofDays(1);

  /** A job that is given its one attempt may start so much later than it was claimed. */
  private static final Duration TO_START = Duration.ofSeconds(30);

  private static final int MOST_SPELLS = 20;

  /** Between the probes of a disabled destination. */
  private static final Duration REST = Duration.ofHours(12);

  /** Circuits that opened together do not probe together: by up to so much sooner. */
  private static final double JITTER = 0.2;

  /** What it lets through. */
  public enum Phase {
    CLOSED,
    OPEN,
    HALF_OPEN,
    /** It was open for too long, or the destination said that it is gone: probes are rare. */
    DISABLED
  }

  /**
   * A time in which it kept jobs.
   *
   * @param asked whether the destination asked for it, and did not fail
   */
  public record Spell(Instant from, Instant until, boolean asked) {
    private Duration overlap(Instant start, Instant end) {
      Instant first = from.isAfter(start) ? from : start;
      Instant last = until.isBefore(end) ? until : end;
      return last.isAfter(first) ? Duration.between(first, last) : Duration.ZERO;
    }
  }

  public Circuit {
    spells = List.copyOf(spells);
  }

  /** One that was never used. */
  public static Circuit closed(Instant now) {
    return new Circuit(Phase.CLOSED, 0, now, null, null, Tally.none(now), null, List.of());
  }

  /** Since when it is not closed; {@code null} if it is. */
  public @Nullable Instant openSince() {
    return outage == null ? null : outage.since();
  }

  /** How many jobs may start now: none, one as a probe, or any number. */
  public int admits(Instant now) {
    if (heldUntil != null && heldUntil.isAfter(now)) {
      return 0;
    }
    return mostAtOnce();
  }

  /** No claim gets more, whatever is held. */
  public int mostAtOnce() {
    return phase == Phase.CLOSED ? Integer.MAX_VALUE : 1;
  }

  /** Whether a good vote decides something, so that a node must tell it at once. */
  public boolean awaitsGood() {
    return phase != Phase.CLOSED || !tally.failing().isEmpty();
  }

  /** Whether there are bad votes, which good ones outweigh. */
  public boolean hasBad() {
    return tally.allBad() > 0;
  }

  /**
   * The same while a probe is under way.
   *
   * @param lease how long it may take, before another may begin
   */
  public Circuit probing(Instant now, Duration lease) {
    require(phase != Phase.CLOSED, "circuit", "must not be closed");
    Instant from = phase == Phase.HALF_OPEN ? since : now;
    return with(Phase.HALF_OPEN, from, now.plus(lease), outage);
  }

  /**
   * The same after these votes.
   *
   * @param random 0 to 1: how long it stays open
   */
  public Circuit told(CircuitRule rule, Ballot ballot, Instant now, double random) {
    if (ballot.epoch() != epoch) {
      return this;
    }
    Circuit heard = ballot.reason() == null ? this : with(tally, ballot.reason());
    if (ballot.gone() > 0) {
      return heard.disabled(now, random);
    }
    return phase == Phase.CLOSED
        ? heard.counting(rule, ballot, now, random)
        : heard.probed(rule, ballot, now, random);
  }

  private Circuit counting(CircuitRule rule, Ballot ballot, Instant now, double random) {
    Tally counted = tally.at(now, rule.window()).plus(ballot);
    Circuit after = with(counted, reason);
    return counted.trips(rule) ? after.opened(rule, now, random) : after;
  }

  private Circuit probed(CircuitRule rule, Ballot ballot, Instant now, double random) {
    Outage lasts = requireNonNull(outage);
    boolean isDisabled = lasts.disabledSince() != null;
    if (ballot.bad() > 0) {
      boolean isLong = !lasts.since().plus(rule.disableAfter()).isAfter(now);
      Circuit opened = opened(rule, now, random);
      return isLong || isDisabled ? opened.disabled(now, random) : opened;
    }
    if (ballot.good() == 0 && ballot.neutral() == 0) {
      return with(phase, since, now, lasts);
    }
    if (ballot.good() == 0) {
      // What a probe learnt of its job alone, the next would learn of its own.
      return isDisabled
          ? disabled(now, random)
          : with(Phase.OPEN, since, now.plus(rule.openFor()), lasts.goesOn(now));
    }
    Outage better = lasts.plusGood();
    return better.goodProbes() >= rule.probesToClose()
        ? closedAt(now)
        : with(Phase.HALF_OPEN, since, now, better);
  }

  /** The destination asked to be left alone for that long; zero if it did not say for how long. */
  public Circuit held(CircuitRule rule, Duration asked, Instant now) {
    Instant until = now.plus(Durations.min(asked, rule.longestOpen()));
    boolean isLonger = heldUntil == null || until.isAfter(heldUntil);
    if (asked.isZero() || !isLonger) {
      return this;
    }
    return phase == Phase.CLOSED
        ? withHold(until, now)
        : with(phase == Phase.DISABLED ? phase : Phase.OPEN, since, until, outage);
  }

  /** The same for another address: what began for the old one does not count. */
  public Circuit moved(Instant now) {
    return phase == Phase.CLOSED ? closedAt(now) : released(now);
  }

  /** The same, but held by nothing: what is not closed may probe at once. */
  public Circuit released(Instant now) {
    return phase == Phase.CLOSED ? withHold(null, now) : with(phase, since, now, outage);
  }

  private Circuit opened(CircuitRule rule, Instant now, double random) {
    Outage lasts = outage == null ? Outage.began(now) : outage;
    Duration held = rule.openFor();
    for (int n = 0; n < lasts.openings() && held.compareTo(rule.longestOpen()) < 0; n++) {
      held = held.multipliedBy(2);
    }
    Duration bounded = Durations.min(held, rule.longestOpen());
    return with(Phase.OPEN, now, sooner(now, bounded, random), lasts.opened(now));
  }

  private Circuit disabled(Instant now, double random) {
    Outage lasts = outage == null ? Outage.began(now) : outage;
    return with(Phase.DISABLED, now, sooner(now, REST, random), lasts.disabled(now));
  }

  private static Instant sooner(Instant now, Duration length, double random) {
    return now.plusNanos((long) (length.toNanos() * (1 - JITTER * random)));
  }

  /** The same, but closed, whatever it was. */
  public Circuit closedAt(Instant now) {
    List<Spell> all = outage == null ? spells : plus(spells, new Spell(outage.since(), now, false));
    return new Circuit(Phase.CLOSED, epoch + 1, now, null, null, Tally.none(now), reason, all);
  }

  private static List<Spell> plus(List<Spell> spells, Spell spell) {
    List<Spell> all = new ArrayList<>(spells);
    all.add(spell);
    if (all.size() > MOST_SPELLS) {
      // Deadlines need the times in which it failed.
      all.remove(all.stream().filter(Spell::asked).findFirst().orElse(all.getFirst()));
    }
    return all;
  }

  /**
   * From when a job's deadline counts, if it is claimed now.
   *
   * @param from without the circuit
   * @param deadline {@code null} for none
   * @param runAt since when the job is due
   */
  public Instant deadlineFrom(
      Instant from, @Nullable Duration deadline, Instant runAt, Instant now) {
    if (deadline == null) {
      return from;
    }
    Instant still = from.plus(stoodStill(from, now));
    Instant least = now.plus(TO_START).minus(deadline);
    return still.isBefore(least) && waited(runAt) ? least : still;
  }

  private Duration stoodStill(Instant from, Instant now) {
    Duration sum =
        outage == null ? Duration.ZERO : new Spell(outage.since(), now, false).overlap(from, now);
    for (Spell spell : spells) {
      sum = spell.asked ? sum : sum.plus(spell.overlap(from, now));
    }
    return Durations.min(sum, LONGEST_STILL);
  }

  /** Whether a job that is due since then could not start for it. */
  private boolean waited(Instant runAt) {
    return outage != null
        || spells.stream().anyMatch(spell -> !spell.asked && runAt.isBefore(spell.until));
  }

  private Circuit with(
      Phase phase, Instant since, @Nullable Instant heldUntil, @Nullable Outage outage) {
    return new Circuit(phase, epoch + 1, since, heldUntil, outage, tally, reason, spells);
  }

  private Circuit with(Tally tally, @Nullable String reason) {
    return new Circuit(phase, epoch, since, heldUntil, outage, tally, reason, spells);
  }

  /** A hold that goes on, or ends early, is one spell. */
  private Circuit withHold(@Nullable Instant until, Instant now) {
    boolean goesOn =
        heldUntil != null
            && heldUntil.isAfter(now)
            && !spells.isEmpty()
            && spells.getLast().asked();
    Instant end = until == null ? now : until;
    List<Spell> before = goesOn ? spells.subList(0, spells.size() - 1) : spells;
    Instant from = goesOn ? spells.getLast().from() : now;
    return new Circuit(
        phase,
        epoch,
        since,
        until,
        outage,
        tally,
        reason,
        goesOn || until != null ? plus(before, new Spell(from, end, true)) : spells);
  }
}
