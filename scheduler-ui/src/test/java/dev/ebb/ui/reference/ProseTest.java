package dev.ebb.ui.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.HostileTexts;
import dev.ebb.ui.reference.Prose.Block;
import dev.ebb.ui.reference.Prose.Span;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

class ProseTest {
  private static final TemplateEngine TEMPLATES =
      TemplateEngine.createPrecompiled(null, ContentType.Html, null, "dev.ebb.ui.templates");

  /** What the templates write, with the attributes that they know. */
  private static final Pattern OURS =
      Pattern.compile(
          "</?[a-z0-9]+(\\s(class|id|tabindex|data-words)=\"[^\"]*\"|\\shref=\"#[^\"]*\")*>");

  static List<String> hostile() {
    return HostileTexts.all();
  }

  private static Block paragraph(Span... spans) {
    return new Block(false, List.of(List.of(spans)));
  }

  private static Span words(String text) {
    return new Span(text, false);
  }

  @Test
  void an_empty_line_ends_a_paragraph_and_marks_enclose_code() {
    assertThat(Prose.of("One `two` three.\n\nFour.").blocks())
        .containsExactly(
            paragraph(words("One "), new Span("two", true), words(" three.")),
            paragraph(words("Four.")));
    assertThat(Prose.of("").isEmpty()).isTrue();
  }

  @Test
  void lines_that_begin_with_a_dash_are_a_list() {
    assertThat(Prose.of("- `one`\n- two").blocks())
        .containsExactly(
            new Block(true, List.of(List.of(new Span("one", true)), List.of(words("two")))));
  }

  @Test
  void a_mark_without_another_and_all_other_signs_are_text() {
    assertThat(Prose.of("a ` b *c* <d> [e](f)").blocks())
        .containsExactly(paragraph(words("a "), words("` b *c* <d> [e](f)")));
  }

  private static String drawn(String template, String name, Object value) {
    StringOutput html = new StringOutput();
    TEMPLATES.render(template, Map.of(name, value), html);
    return html.toString();
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void no_text_of_a_contract_becomes_markup(String text) {
    Schema schema =
        Schema.of(
            new OpenApi(JsonMapper.shared().createObjectNode()),
            text,
            JsonMapper.shared()
                .valueToTree(
                    Map.of(
                        "description", text,
                        "examples", List.of(Map.of(text, text)),
                        "properties",
                            Map.of(
                                text,
                                Map.of(
                                    "$ref",
                                    "#/" + text.replace('/', '|'),
                                    "description",
                                    text,
                                    "pattern",
                                    text)))));

    String html =
        drawn("docs-schema.jte", "schema", schema) + drawn("prose.jte", "prose", Prose.of(text));
    assertThat(html).contains(HostileTexts.MARK);
    assertThat(OURS.matcher(html).replaceAll("")).doesNotContain("<");
  }
}
