package dev.ebb.bench.child;

import dev.ebb.bench.contender.Contender;
import dev.ebb.bench.contender.DirectClaims;
import dev.ebb.bench.contender.EbbContender;
import dev.ebb.bench.contender.Entrant;
import dev.ebb.bench.machine.PeakHeap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Answers the harness in a child, and keeps the open contender. */
final class Desk {
  private final Entrant entrant;
  private final PeakHeap heap = PeakHeap.watch();
  private @Nullable Opened opened;

  /** The latch is open as soon as the node must stop. */
  private record Opened(Contender contender, Runs runs, CountDownLatch stopping) {}

  Desk(Entrant entrant) {
    this.entrant = entrant;
  }

  Answer answer(Request request) {
    try {
      return switch (request) {
        case Request.Open open -> open(open);
        case Request.Fill fill -> fill(fill);
        case Request.FillLoud fill -> fillLoud(fill);
        case Request.Limit limit -> limit(limit);
        case Request.Submit submit -> Answer.of(Submitters.flood(opened().contender, submit));
        case Request.Start _ -> start();
        case Request.Fire _ -> fire();
        case Request.Hold hold -> hold(hold.jobs());
        case Request.Progress _ -> Answer.of(opened().runs.succeeded());
        case Request.Pace pace -> Answer.of(pace(pace));
        case Request.Claims claims -> Answer.of(claims(claims));
        case Request.Serve serve ->
            Answer.of(((EbbContender) opened().contender).serve(serve.open()));
        case Request.Deliver deliver -> deliver(deliver.concurrency());
        case Request.Runs _ -> Answer.of(opened().runs.perNumber());
        case Request.Heap _ -> Answer.of(heap.megabytes());
        case Request.Used _ -> Answer.of(PeakHeap.usedMegabytes());
        case Request.Stop _ -> stop();
        case Request.Close _ -> close();
      };
    } catch (Exception e) {
      e.printStackTrace();
      return Answer.failed(e);
    }
  }

  private Opened opened() {
    if (opened == null) {
      throw new IllegalStateException("not open");
    }
    return opened;
  }

  private Answer open(Request.Open open) throws Exception {
    close();
    Contender contender = entrant.contender(open.target());
    if (!contender.spreadOver(open.queues())) {
      throw new IllegalArgumentException(entrant.id() + " cannot spread over queues");
    }
    if (open.install()) {
      contender.install();
    }
    contender.open();
    opened =
        new Opened(contender, new Runs(open.numbers(), open.failures()), new CountDownLatch(1));
    return Answer.done();
  }

  private Answer fill(Request.Fill fill) throws Exception {
    opened().contender.fill(fill.from(), fill.to(), Duration.ofSeconds(fill.dueInSeconds()));
    return Answer.done();
  }

  private Answer fillLoud(Request.FillLoud fill) throws Exception {
    opened().runs.loudFrom(fill.from());
    ((EbbContender) opened().contender).fillLoud(fill.from(), fill.to());
    return Answer.done();
  }

  private Answer limit(Request.Limit limit) throws Exception {
    ((EbbContender) opened().contender).limit(limit.perSecond());
    return Answer.done();
  }

  private Answer start() throws Exception {
    Contender contender = opened().contender;
    contender.start(opened().runs, contender.bestConcurrency());
    return Answer.done();
  }

  private Answer deliver(int concurrency) {
    ((EbbContender) opened().contender).deliver(concurrency);
    return Answer.done();
  }

  private Answer fire() {
    ((EbbContender) opened().contender).fire();
    return Answer.done();
  }

  private Answer hold(int jobs) throws Exception {
    Opened open = opened();
    CountDownLatch running = new CountDownLatch(jobs);
    ((EbbContender) open.contender)
        .startOnFirstQueue(
            number -> {
              open.runs.run(number);
              running.countDown();
              open.stopping.await();
            },
            jobs);
    if (!running.await(1, TimeUnit.MINUTES)) {
      throw new IllegalStateException(running.getCount() + " of " + jobs + " handlers do not run");
    }
    return Answer.done();
  }

  private List<Integer> pace(Request.Pace pace) throws Exception {
    return Submitters.pace(opened().contender, opened().runs, pace);
  }

  private List<Integer> claims(Request.Claims claims) throws Exception {
    DirectClaims direct = (DirectClaims) opened().contender;
    List<Integer> micros = new ArrayList<>();
    for (int i = 0; i < claims.times(); i++) {
      long start = System.nanoTime();
      int got = direct.claim(claims.queue(), claims.most());
      micros.add(Math.toIntExact((System.nanoTime() - start) / 1000));
      if (got != claims.most()) {
        throw new IllegalStateException("a claim of " + claims.most() + " got " + got);
      }
      if (claims.settle()) {
        direct.settle();
      }
    }
    return micros;
  }

  private Answer stop() throws Exception {
    if (opened != null) {
      opened.stopping.countDown();
      opened.contender.stop();
    }
    return Answer.done();
  }

  private Answer close() throws Exception {
    if (opened != null) {
      Contender closing = opened.contender;
      opened.stopping.countDown();
      opened = null;
      closing.close();
    }
    return Answer.done();
  }
}
