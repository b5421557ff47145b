package dev.ebb.demo.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The browser of a class of tests. After each of them it asserts that its watch saw nothing. */
final class Chromium implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
  /** For a machine that does much else. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");

  private final Watch watch = new Watch();
  private final List<BrowserContext> contexts = new ArrayList<>();
  private @Nullable Playwright playwright;
  private @Nullable Browser browser;

  @Override
  public void beforeAll(ExtensionContext tests) {
    Map<String, String> environment = Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    Playwright started = Playwright.create(new Playwright.CreateOptions().setEnv(environment));
    playwright = started;
    browser =
        started
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(installed())
                    .setTimeout((double) PATIENCE.toMillis())
                    .setArgs(List.of("--no-sandbox", "--disable-dev-shm-usage")));
    PlaywrightAssertions.setDefaultAssertionTimeout((double) PATIENCE.toMillis());
  }

  private static Path installed() {
    return Stream.of(System.getenv("PATH").split(Pattern.quote(File.pathSeparator)))
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() ->
            new AssertionError(
                "No Chromium is on the PATH. Install it: apt-get install chromium fonts-dejavu"));
  }

  /** A new browser, in which nobody is signed in. */
  Page open(Cluster cluster, Look look) {
    BrowserContext context =
        Objects.requireNonNull(browser)
            .newContext(
                new Browser.NewContextOptions()
                    .setBaseURL(cluster.origin())
                    .setLocale("en-GB")
                    .setTimezoneId("UTC")
                    .setColorScheme(look.scheme)
                    .setViewportSize(look.width, look.height));
    contexts.add(context);
    context.setDefaultTimeout((double) PATIENCE.toMillis());
    watch.begin(context, cluster.origin());
    return context.newPage();
  }

  /** A new browser, in which somebody has signed in with the token, as people do. */
  Page signIn(Cluster cluster, Look look, String token) {
    Page page = open(cluster, look);
    page.navigate("/ui");
    page.getByLabel("Token").fill(token);
    page.locator("main button").click();
    page.waitForURL(cluster.origin() + "/ui");
    return page;
  }

  /** Of this test: it brings about itself what the watch will tell so. */
  void expect(String pattern) {
    watch.expect(pattern);
  }

  @Override
  public void afterEach(ExtensionContext tests) {
    contexts.forEach(BrowserContext::close);
    contexts.clear();
    assertThat(watch.end()).as("what the browser complained of").isEmpty();
  }

  @Override
  public void afterAll(ExtensionContext tests) {
    if (playwright != null) {
      playwright.close();
    }
  }
}
