package dev.ebb.demo.browser;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What must not happen in a browser: errors on its console and in its pages, requests that fail,
 * requests to another server, and dialogs that a script opens.
 */
final class Watch {
  /** A page that is left gives up what it still asks for. */
  private static final String LEFT = "net::ERR_ABORTED";

  private final List<String> troubles = new ArrayList<>();
  private final List<Pattern> expected = new ArrayList<>();

  void begin(BrowserContext context, String origin) {
    context.onConsoleMessage(this::hear);
    context.onWebError(error -> troubles.add("page error: " + error.error()));
    context.onRequestFailed(this::fail);
    context.onRequest(request -> {
      if (!isOurs(request.url(), origin)) {
        troubles.add("request elsewhere: " + request.url());
      }
    });
    context.onDialog(dialog -> {
      troubles.add("dialog: " + dialog.message());
      dialog.dismiss();
    });
  }

  private void hear(ConsoleMessage message) {
    if (message.type().equals("error")) {
      troubles.add("console error: " + message.text() + " at " + message.location());
    }
  }

  private void fail(Request request) {
    if (!LEFT.equals(request.failure())) {
      troubles.add("failed request: " + request.failure() + " " + request.url());
    }
  }

  private static boolean isOurs(String url, String origin) {
    return url.startsWith(origin + "/") || url.matches("(data|blob|about):.*");
  }

  /** The test itself brings this about. */
  void expect(String pattern) {
    expected.add(Pattern.compile(pattern));
  }

  /** What happened unexpectedly since the last time. */
  List<String> end() {
    List<String> unexpected =
        troubles.stream()
            .filter(trouble -> expected.stream().noneMatch(one -> one.matcher(trouble).find()))
            .toList();
    troubles.clear();
    expected.clear();
    return unexpected;
  }
}
