package dev.ebb.demo;

import dev.ebb.app.merchant.Behaviour;
import dev.ebb.app.merchant.Merchant;
import dev.ebb.app.settings.Settings;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the demo prints: where everything is, and commands to copy. */
final class Guide {
  private static final String TEXT =
      """
      Dashboard   API_URL/ui
      API         API_URL/v1/jobs, open to this machine without a token
      Merchant    http://127.0.0.1:MERCHANT, told how to answer on port CONTROL
      Database    PSQL
      Log         LOG

      For an hour, a payments team's traffic goes to merchants, some of which fail, are slow or
      throttle. A payment notification a second is in the queue demo. Submit one of your own:

        curl -s API_URL/v1/jobs -H 'content-type: application/json' \\
          -d '{"kind":"http","queue":"demo","payload":\
      {"url":"http://127.0.0.1:MERCHANT/hello","body":{"hello":"merchant"}}}'

      Look at the newest jobs, at one with its attempts, and at what the merchant received:

        curl -s 'API_URL/v1/jobs?queue=demo&limit=5'
        curl -s API_URL/v1/jobs/ID/attempts
        curl -s http://127.0.0.1:CONTROL/

      Let the merchant misbehave (WORDS):

        curl -s -X PUT http://127.0.0.1:CONTROL/behaviour -d 500

      About a minute later, list the dead letters; once the merchant is ok again, redrive one:

        curl -s 'API_URL/v1/jobs?queue=demo&state=dead_letter'
        curl -s -X POST API_URL/v1/jobs/ID/redrive

      Pause the queue, resume it a minute later, and see its limit open slowly:

        curl -s -X POST API_URL/v1/queues/demo/pause
        curl -s -X POST API_URL/v1/queues/demo/resume
        curl -s API_URL/v1/queues/demo/limiter

      Have it call a service of your own, on port 3000: EBB_DELIVERY_ALLOW=127.0.0.1:3000 ./ebb demo

      Two schedules make jobs by the clock; see when the report is due, and have it sent now:

        curl -s API_URL/v1/schedules/settlement-report/next
        curl -s -X POST API_URL/v1/schedules/settlement-report/run

      Ctrl-C stops the demo; its jobs stay for the next time.
      """;

  private Guide() {}

  static String text(Settings settings, Merchant merchant, EmbeddedPostgres postgres, Path log) {
    String words =
        Stream.of(Behaviour.values()).map(Behaviour::word).collect(Collectors.joining(", "));
    String host = settings.httpHost().equals("0.0.0.0") ? "127.0.0.1" : settings.httpHost();
    return TEXT.replace("API_URL", "http://" + host + ":" + settings.httpPort())
        .replace("MERCHANT", Integer.toString(merchant.port()))
        .replace("CONTROL", Integer.toString(merchant.controlPort()))
        .replace("PSQL", postgres.psql())
        .replace("WORDS", words)
        .replace("LOG", log.toString());
  }
}
