package dev.ebb.demo.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.Media;
import dev.ebb.db.Proof;
import dev.ebb.demo.ToldStory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On paper a page of a dark screen is light, holds all that it says, and no button. */
@Proof
class PrintTest {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  /** The width of A4 between margins of a centimetre. */
  private static final int PAPER = 718;

  /** What is dark, cut off, left to press, not drawn or soon untrue, each in a few words. */
  private static final String FAULTS =
      """
      () => {
        const faults = [];
        const name = (one) => one.outerHTML.slice(0, 120);
        const shown = (one) => one.checkVisibility() && one.getClientRects().length > 0;
        const channels = (colour) => (colour.match(/[0-9.]+/g) ?? []).map(Number);
        for (const one of document.querySelectorAll("body, body *")) {
          if (!shown(one)) continue;
          const style = getComputedStyle(one);
          const [r, g, b, a = 1] = channels(style.backgroundColor);
          const fills = /^rgba?/.test(style.backgroundColor) && a > 0;
          if (fills && (r + g + b) / 3 < 110) faults.push("dark: " + name(one));
          const cuts = ["auto", "scroll", "hidden"].includes(style.overflowX);
          if (cuts && !one.closest("svg") && one.scrollWidth > one.clientWidth + 1) {
            faults.push("cut: " + name(one));
          }
          if (one.matches("button, .top, input[type=checkbox]")) faults.push("left: " + name(one));
        }
        const [r, g, b] = channels(getComputedStyle(document.body).color);
        if ((r + g + b) / 3 > 100) faults.push("pale text");
        for (const figure of document.querySelectorAll("figure")) {
          const drawn = [...figure.querySelectorAll("svg.chart")].filter(shown);
          if (drawn.length !== 1 || drawn[0].clientHeight < 10) faults.push("no one drawing");
        }
        for (const time of document.querySelectorAll("time")) {
          if (shown(time) && !/[0-9]:[0-9]/.test(time.textContent)) faults.push("no exact time");
        }
        const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
        if (wide > 0) faults.push("wider than the paper by " + wide);
        return faults;
      }
      """;

  private static Cluster cluster;
  private static Map<String, String> pages;

  @BeforeAll
  static void start() {
    cluster = Cluster.started();
    String job = Quiet.fill(cluster);
    ToldStory.tell(cluster.config(), cluster.merchant(), 15, Duration.ZERO);
    pages = Pages.all(cluster, job, Quiet.QUEUE);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @SuppressWarnings("unchecked")
  private static List<String> faults(Page page) {
    return (List<String>) page.evaluate(FAULTS);
  }

  @Test
  void every_page_prints_light_whole_and_without_what_a_hand_would_press() {
    CHROMIUM.expect("status of 4(00|22) .*nonsense");
    Pictures pictures = Pictures.of("paper");
    Page page = CHROMIUM.signIn(cluster, Look.DARK, Cluster.ADMIN);
    Set<String> found = new TreeSet<>();
    for (Map.Entry<String, String> one : pages.entrySet()) {
      page.emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.SCREEN));
      page.setViewportSize(Look.DARK.width, Look.DARK.height);
      Pages.open(page, one.getValue());
      page.emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.PRINT));
      page.setViewportSize(PAPER, 1000);
      page.evaluate("() => dispatchEvent(new Event('beforeprint'))");
      faults(page).forEach(fault -> found.add(one.getKey() + ": " + fault));
      pictures.print(page, one.getKey());
    }
    assertThat(found).isEmpty();
  }

  /** The control. */
  @Test
  void a_dark_screen_would_be_found() {
    Page page = CHROMIUM.signIn(cluster, Look.DARK, Cluster.ADMIN);
    page.navigate("/ui/queues");

    assertThat(faults(page))
        .anyMatch(fault -> fault.startsWith("dark: "))
        .anyMatch(fault -> fault.startsWith("left: "))
        .contains("pale text");
  }
}
