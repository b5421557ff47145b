package dev.ebb.api;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of a stream of events, which reads it as a browser does. */
final class EventClient implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final HttpResponse<InputStream> response;
  private final LinkedBlockingQueue<Message> messages = new LinkedBlockingQueue<>();
  private volatile String lastId = "";

  /** An event, a comment ({@code :}), an id alone ({@code id}) or the end of the stream. */
  record Message(String event, String data, long nanos) {
    JsonNode json() {
      return JsonMapper.shared().readTree(data);
    }

    String field(String name) {
      return json().path(name).asString("");
    }
  }

  private EventClient(HttpRequest request) {
    try {
      response = client.send(request, BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    Thread.ofVirtual().start(this::read);
  }

  /** Opens a stream that has yet to begin. */
  static EventClient of(HttpRequest.Builder request) {
    return new EventClient(request.GET().build());
  }

  /** A stream that is ready. */
  static EventClient open(ApiServer api, String query) throws InterruptedException {
    EventClient events = of(api.request("/v1/events" + query));
    events.next("ready");
    return events;
  }

  /** The same, after what was sent with that id. */
  static EventClient resume(ApiServer api, String query, String id) {
    return of(api.request("/v1/events" + query).header("Last-Event-ID", id));
  }

  int status() {
    return response.statusCode();
  }

  String header(String name) {
    return response.headers().firstValue(name).orElse("");
  }

  /** The last id that came. */
  String lastId() {
    return lastId;
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      List<String> block = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.isEmpty()) {
          take(block);
          block.clear();
        } else {
          block.add(line);
        }
      }
      put("end", "clean");
    } catch (IOException e) {
      put("end", "broken");
    }
  }

  private void take(List<String> block) {
    value(block, "id: ").ifPresent(id -> lastId = id);
    Optional<String> event = value(block, "event: ");
    if (event.isPresent()) {
      put(event.get(), value(block, "data: ").orElse(""));
    } else {
      put(block.contains(":") ? ":" : block.getFirst().replaceFirst(":.*", ""), "");
    }
  }

  private static Optional<String> value(List<String> block, String field) {
    return block.stream()
        .filter(line -> line.startsWith(field))
        .map(line -> line.substring(field.length()))
        .findFirst();
  }

  private void put(String event, String data) {
    messages.add(new Message(event, data, System.nanoTime()));
  }

  /** The next message of the event; those before it are passed over. */
  Message next(String event) throws InterruptedException {
    return next(message -> message.event().equals(event));
  }

  /** The next of these; at the end of the stream it fails. */
  Message next(Predicate<Message> wanted) throws InterruptedException {
    while (true) {
      Message next = messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("nothing came");
      }
      if (wanted.test(next)) {
        return next;
      }
      if (next.event().equals("end")) {
        throw new AssertionError("the stream ended: " + next.data());
      }
    }
  }

  /** The ids of jobs of the next events, so many of them, each told once or more. */
  List<String> jobs(int number) throws InterruptedException {
    List<String> ids = new ArrayList<>();
    while (ids.stream().distinct().count() < number) {
      ids.add(next("job").field("id"));
    }
    return ids;
  }

  @Override
  public void close() throws IOException {
    response.body().close();
    client.shutdownNow();
    client.close();
  }
}
