package dev.ebb.core.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class QueryFieldTest {
  static List<QueryField> fields() {
    return QueryField.ALL;
  }

  @ParameterizedTest
  @MethodSource("fields")
  void a_token_that_is_suggested_is_one_that_the_parser_reads(QueryField field) {
    assertThat(field.starts()).isNotEmpty();
    for (String start : field.starts()) {
      FilterBuilder every = new FilterBuilder();
      JobFilter narrowed = JobQuery.read(start + field.example(), new FilterBuilder()).build();
      assertThat(narrowed).as(start).isNotEqualTo(every.build());
    }
  }

  @ParameterizedTest
  @MethodSource("states")
  void a_state_that_is_suggested_is_one_that_the_parser_reads(String word) {
    assertThatCode(() -> JobQuery.read("state:" + word, new FilterBuilder()))
        .doesNotThrowAnyException();
  }

  static Set<String> states() {
    return Phase.filterWords();
  }
}
