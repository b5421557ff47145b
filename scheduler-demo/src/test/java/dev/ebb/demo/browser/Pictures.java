package dev.ebb.demo.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Takes pictures of pages, for people to look at. */
final class Pictures {
  private static final Path TARGET = Path.of("target", "pictures");
  private static final int MOST = 1400;

  private final Path folder;

  private Pictures(Path folder) {
    this.folder = folder;
  }

  static Pictures in(Path folder) {
    try {
      return new Pictures(Files.createDirectories(folder));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Of a state in which a server can be: below {@code target}. */
  static Pictures of(String state) {
    return in(TARGET.resolve(state));
  }

  /** Opens the page, and takes its picture when it is there. */
  void take(Page page, Look look, String name, String address) {
    page.setViewportSize(look.width, look.height);
    Pages.open(page, address);
    take(page, look, name);
  }

  /** Takes a picture of the page as it is, down to a bound. */
  void take(Page page, Look look, String name) {
    int high = (int) page.evaluate("() => document.documentElement.scrollHeight");
    page.setViewportSize(look.width, Math.clamp(high, look.height, MOST));
    String end = look.name().toLowerCase(Locale.ROOT).replace('_', '-');
    Path file = folder.resolve(name + "-" + end + ".png");
    page.screenshot(new Page.ScreenshotOptions().setPath(file));
    assertThat(file).isNotEmptyFile();
  }

  /** Prints the page, and takes a picture of what would be printed. */
  void print(Page page, String name) {
    page.screenshot(
        new Page.ScreenshotOptions()
            .setFullPage(true)
            .setPath(folder.resolve(name + "-print.png")));
    Path file = folder.resolve(name + ".pdf");
    page.pdf(new Page.PdfOptions().setFormat("A4").setPath(file));
    assertThat(file).isNotEmptyFile();
  }
}
