package dev.ebb.demo.browser;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A process that asks for what open tabs ask for, so that what reading it costs is not the
 * server's: it says {@code open} when all listen; when its input ends, it says how many pages it
 * got, and ends.
 *
 * <p>A tab listens to its stream, as {@code live.js} has it, and asks for its page after news.
 */
final class Tabs {
  private static final Duration AMPLE = Duration.ofMinutes(2);
  private static final long AT_MOST_EVERY = TimeUnit.SECONDS.toMillis(2);

  /** People do not open all of them at once. */
  private static final long APART = TimeUnit.MILLISECONDS.toNanos(50);

  private static final List<String> NEWS =
      List.of("event: job", "event: jobs", "event: change", "event: reset", "event: ready");

  private final String server;
  private final String token;
  private final boolean patient;
  private final CountDownLatch begun;
  private final AtomicInteger drawn = new AtomicInteger();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Tabs(String server, String token, boolean patient, int many) {
    this.server = server;
    this.token = token;
    this.patient = patient;
    this.begun = new CountDownLatch(many);
  }

  /**
   * With the server's address, a token, whether the tabs wait as long as the server says, their
   * number, and pages with their streams.
   */
  public static void main(String[] arguments) throws Exception {
    boolean patient = Boolean.parseBoolean(arguments[2]);
    int many = Integer.parseInt(arguments[3]);
    List<String> pages = List.of(arguments).subList(4, arguments.length);
    Tabs tabs = new Tabs(arguments[0], arguments[1], patient, many);
    for (int i = 0; i < many; i++) {
      int page = 2 * i % pages.size();
      Tab tab = tabs.new Tab(pages.get(page), pages.get(page + 1));
      Thread.ofVirtual().start(tab::listen);
      Thread.ofVirtual().start(tab::draw);
      LockSupport.parkNanos(APART);
    }
    if (!tabs.begun.await(AMPLE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException(tabs.begun.getCount() + " tabs have no stream");
    }
    System.out.println("open");
    System.in.transferTo(OutputStream.nullOutputStream());
    System.out.println(tabs.drawn);
  }

  private <T> HttpResponse<T> ask(String path, HttpResponse.BodyHandler<T> body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server + path))
            .headers("Authorization", "Bearer " + token, "HX-Request", "true")
            .header("Accept-Encoding", "gzip")
            .build();
    try {
      return client.send(request, body);
    } catch (IOException closed) {
      throw new UncheckedIOException(closed);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  private final class Tab {
    private final String page;
    private final String events;
    private volatile boolean news;

    Tab(String page, String events) {
      this.page = page;
      this.events = events;
    }

    private void listen() {
      while (!isHeard()) {
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
      }
    }

    /** False while the server has no place for it: it notices later that other tabs were closed. */
    private boolean isHeard() {
      HttpResponse<Stream<String>> answer = ask(events, BodyHandlers.ofLines());
      try (Stream<String> lines = answer.body()) {
        lines.forEach(line -> {
          news |= NEWS.contains(line);
          if (line.equals("event: ready")) {
            begun.countDown();
          }
        });
      }
      return answer.statusCode() == 200;
    }

    private void draw() {
      long next = System.nanoTime();
      while (true) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        if (news && System.nanoTime() - next >= 0) {
          news = false;
          next = System.nanoTime();
          HttpResponse<Void> answer = ask(page, BodyHandlers.discarding());
          if (answer.statusCode() == 200) {
            drawn.incrementAndGet();
          } else {
            news = true;
          }
          long pause = answer.headers().firstValueAsLong("Ebb-Pause").orElse(AT_MOST_EVERY);
          next += TimeUnit.MILLISECONDS.toNanos(patient ? pause : AT_MOST_EVERY);
        }
      }
    }
  }
}
