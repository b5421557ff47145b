package dev.ebb.ui.sheet;

import dev.ebb.api.problem.CutAnswer;
import dev.ebb.contract.Paged;
import dev.ebb.ui.json.Exact;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Writes a list into a file, page by page: of the list no more than a page is kept. */
public final class SheetWriter {
  /** No page is read after so many rows. */
  public static final int MOST_ROWS = 10_000;

  private static final Duration MOST_READING = Duration.ofSeconds(30);

  /** A client that takes longer than that is left. */
  private static final Duration MOST_WRITING = Duration.ofMinutes(2);

  private static final int CHUNK = 8_192;

  private final Sheet sheet;
  private final OutputStream out;
  private final LongSupplier nanoTime;
  private final long begun;

  public SheetWriter(Sheet sheet, OutputStream out, LongSupplier nanoTime) {
    this.sheet = sheet;
    this.out = out;
    this.nanoTime = nanoTime;
    this.begun = nanoTime.getAsLong();
  }

  /**
   * Writes the page and those that follow it, until the bounds are reached.
   *
   * @param next the page at a cursor
   */
  public void write(Paged first, Function<String, Paged> next) throws IOException {
    put(sheet.begin());
    Paged page = first;
    long rows = put(page, 0);
    String cursor = page.nextCursor();
    while (cursor != null && rows < MOST_ROWS && !isPast(MOST_READING)) {
      page = next.apply(cursor);
      rows = put(page, rows);
      cursor = page.nextCursor();
    }
    put(sheet.end(rows, cursor));
  }

  private long put(Paged page, long before) throws IOException {
    StringBuilder text = new StringBuilder();
    long rows = before;
    for (Object item : page.items()) {
      text.append(sheet.row(Exact.of(item), rows == 0));
      rows++;
    }
    put(text.toString());
    return rows;
  }

  private void put(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int from = 0; from < bytes.length; from += CHUNK) {
      if (isPast(MOST_WRITING)) {
        throw new CutAnswer(new TimeoutException("The client reads too slowly"));
      }
      out.write(bytes, from, Math.min(CHUNK, bytes.length - from));
    }
    out.flush();
  }

  private boolean isPast(Duration length) {
    return nanoTime.getAsLong() - begun > length.toNanos();
  }
}
