package dev.ebb.ui.sheet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.problem.CutAnswer;
import dev.ebb.contract.Paged;
import dev.ebb.ui.json.Exact;
import dev.ebb.ui.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class SheetWriterTest {
  private static final int PAGE = 200;

  private final AtomicLong nanos = new AtomicLong();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private String written(Sheet sheet, String item, int pages, Duration each) throws IOException {
    new SheetWriter(sheet, out, nanos::get)
        .write(
            page(item, 1, pages),
            cursor -> {
              nanos.addAndGet(each.toNanos());
              return page(item, Integer.parseInt(cursor), pages);
            });
    return out.toString(StandardCharsets.UTF_8);
  }

  private record Items(List<JsonNode> items, @Nullable String nextCursor) implements Paged {}

  private static Paged page(String item, int number, int pages) {
    List<JsonNode> items = Collections.nCopies(PAGE, Json.parsed(item));
    return new Items(items, number == pages ? null : Integer.toString(number + 1));
  }

  @Test
  void a_file_has_the_rows_of_all_pages() throws IOException {
    String csv = written(new CsvSheet(List.of("id")), "{\"id\":7}", 3, Duration.ZERO);

    assertThat(csv.lines()).hasSize(1 + 3 * PAGE).startsWith("id", "7").endsWith("7");
  }

  @Test
  void a_file_of_lines_says_in_its_last_that_it_was_cut() throws IOException {
    String csv = written(new CsvSheet(List.of("id", "at")), "{\"id\":7}", 51, Duration.ZERO);

    assertThat(csv.lines()).hasSize(1 + SheetWriter.MOST_ROWS + 1);
    assertThat(csv).endsWith("7,\r\n\"Cut after 10,000 rows: there may be more\",\r\n");
  }

  @Test
  void a_json_file_says_whether_it_was_cut_and_where_it_goes_on() throws IOException {
    assertThat(written(new JsonSheet(), "{}", 1, Duration.ZERO))
        .startsWith("{\"items\": [\n{},\n{}")
        .endsWith("{}\n], \"complete\": true}\n");
    out.reset();
    assertThat(written(new JsonSheet(), "{}", 51, Duration.ZERO))
        .endsWith("{}\n], \"complete\": false, \"nextCursor\": \"51\"}\n");
  }

  @Test
  void no_page_is_read_after_half_a_minute() throws IOException {
    String csv = written(new CsvSheet(List.of("id")), "{\"id\":7}", 40, Duration.ofSeconds(11));

    assertThat(csv.lines()).hasSize(1 + 4 * PAGE + 1);
    assertThat(csv).contains("Cut after 800 rows");
  }

  @Test
  void a_client_that_reads_too_slowly_is_left_with_a_file_that_nobody_takes_for_whole() {
    assertThatThrownBy(() -> written(new JsonSheet(), "{}", 40, Duration.ofMinutes(2).plusNanos(1)))
        .isInstanceOf(CutAnswer.class);
  }

  @Test
  void a_cell_holds_text_numbers_and_json_and_is_no_formula() throws IOException {
    Sheet sheet = new CsvSheet(List.of("a", "b.c", "d", "e", "f", "g"));

    assertThat(
            sheet.row(
                new Exact(
                    """
                    {"a":"=1+1","b":{"c":"x, \\"y\\""},"d":1.50,"e":{"k":"v"},"f":null,"g":true}\
                    """),
                true))
        .isEqualTo("'=1+1,\"x, \"\"y\"\"\",1.5,\"{\"\"k\"\":\"\"v\"\"}\",,true\r\n");
  }
}
