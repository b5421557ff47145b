package dev.ebb.core.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same answers as those of the lists. */
class FilterMatchTest {
  private static final JobFacts JOB =
      new JobFacts(
          UUID.fromString("019f2b1e-7c00-7a10-8000-5d2b8f1c0e11"),
          Phase.RETRYING,
          "payments",
          "http",
          "Order-9981",
          Map.of("m", "x", "r", "100%"),
          2,
          Instant.parse("2027-01-31T08:00:00Z"),
          "http_500 Read timed out",
          Instant.parse("2027-01-31T08:10:00Z"),
          "shop.example",
          "acme");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '§',
      textBlock =
          """
          §§                                      | true
          state:retrying                          | true
          state:available                         | true
          state:completed,dead                    | false
          -state:retrying                         | false
          queue:payments,other                    | true
          queue:other                             | false
          -queue:payments                         | false
          kind:http -kind:echo                    | true
          kind:echo                               | false
          label:m=x label:r=100%                  | true
          label:m=X                               | false
          -label:m=x                              | false
          -label:m=y                              | true
          key:Order-9981                          | true
          key:order-9981                          | false
          subject:acme                            | true
          subject:ACME                            | false
          destination:Shop.example                | true
          destination:other.example               | false
          attempts:2 attempts>1 attempts<=2       | true
          attempts>2                              | false
          attempts<2                              | false
          age>9m age<11m                          | true
          age>11m                                 | false
          age<9m                                  | false
          created>=2027-01-31                     | true
          created<2027-01-31                      | false
          ended<1h                                | false
          error:"TIMED out" error:http_500        | true
          error:refused                           | false
          -error:timed                            | false
          PAYMENTS order-99 100%                  | true
          7c00                                    | true
          elsewhere                               | false
          -order                                  | false
          """)
  void a_filter_lets_through_what_fulfils_every_part(String query, boolean through) {
    JobFilter filter = JobQuery.read(query, new FilterBuilder()).build();

    assertThat(FilterMatch.matches(filter, JOB)).isEqualTo(through);
  }
}
