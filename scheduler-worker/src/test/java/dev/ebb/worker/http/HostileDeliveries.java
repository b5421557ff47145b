package dev.ebb.worker.http;

import dev.ebb.core.job.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A program that delivers to hostile URLs, and prints for each of them what became of it. It runs
 * where every address is this machine's own, and a server answers on port 80 of all of them.
 */
final class HostileDeliveries {
  static final String MERCHANT = "http://merchant.example/";
  static final String REBINDING = "http://rebinding.example/";
  static final long REBINDINGS = 20;

  private static final String PUBLIC = "93.184.216.34";
  private static final String INSIDE = "10.0.0.1";

  /** What stands between a delivery and an address. */
  enum Guarding {
    RULES,
    NOTHING,
    /** The rules, with a look-up for the check and another for the connection. */
    OWN_LOOKUP
  }

  /** A URL as a payload has it, and what a name server answers for the name in it. */
  record Hostile(String url, String answer) {
    /** The name as a resolver is asked for it. */
    String name() {
      return url.replaceFirst("^[a-z]+://", "").replaceFirst("/.*", "").toLowerCase(Locale.ROOT);
    }
  }

  private final AtomicInteger rebound = new AtomicInteger();
  private final Map<String, String> answers = new HashMap<>();
  private final List<Hostile> urls;

  private HostileDeliveries() throws IOException {
    urls = urls();
    answers.put("merchant.example", PUBLIC);
    urls.stream()
        .filter(hostile -> !hostile.answer.isEmpty())
        .forEach(hostile -> answers.put(hostile.name(), hostile.answer));
  }

  public static void main(String[] args) throws Exception {
    new HostileDeliveries().run(Guarding.valueOf(args[0]), System.out);
  }

  static List<Hostile> urls() throws IOException {
    try (InputStream in = HostileDeliveries.class.getResourceAsStream("hostile-urls.txt")) {
      List<Hostile> urls = new ArrayList<>();
      new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(" -> ", 2))
          .forEach(parts -> urls.add(new Hostile(parts[0], parts.length == 1 ? "" : parts[1])));
      return urls;
    }
  }

  private void run(Guarding guarding, PrintStream out) throws IOException {
    try (Wire _ = new Wire(new ServerSocket(80, 1000), HostileDeliveries::answer);
        Deliveries deliveries =
            new Deliveries(HttpHandlerConfig.defaults(), guard(guarding), this::resolve)) {
      out.println(told(MERCHANT, deliveries));
      for (Hostile hostile : urls) {
        out.println(told(hostile.url, deliveries));
      }
      for (int i = 0; i < REBINDINGS; i++) {
        deliveries.tick(Lookups.REMEMBERED);
        out.println(told(REBINDING, deliveries));
      }
    }
  }

  private static void answer(Wire wire, Socket socket) throws IOException {
    wire.readRequest(socket);
    Wire.send(socket, "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n");
  }

  private GuardedResolver.Guard guard(Guarding guarding) {
    AddressRules rules = new AddressRules(AllowList.parse(""));
    return switch (guarding) {
      case RULES -> rules;
      case NOTHING -> (_, _, _) -> true;
      case OWN_LOOKUP ->
          (host, address, port) ->
              rules.permits(host, Objects.requireNonNullElse(again(host), address), port);
    };
  }

  private @Nullable InetAddress again(String host) {
    try {
      return resolve(host)[0];
    } catch (UnknownHostException _) {
      return null;
    }
  }

  /** Of the name that rebinds, every second answer is an address inside. */
  private InetAddress[] resolve(String host) throws UnknownHostException {
    String answer =
        REBINDING.contains("/" + host + "/")
            ? (rebound.getAndIncrement() % 2 == 0 ? INSIDE : PUBLIC)
            : answers.get(host.toLowerCase(Locale.ROOT));
    if (answer == null) {
      throw new UnknownHostException(host);
    }
    return Stream.of(answer.split(",")).map(InetAddress::ofLiteral).toArray(InetAddress[]::new);
  }

  private static String told(String url, Deliveries deliveries) {
    Outcome outcome = deliveries.deliver(url);
    String word = outcome instanceof Outcome.Completed ? "completed" : Deliveries.reason(outcome);
    return word + " " + url;
  }
}
