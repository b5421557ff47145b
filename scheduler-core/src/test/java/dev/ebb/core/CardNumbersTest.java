package dev.ebb.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CardNumbersTest {

  /** The numbers that issuers and gateways publish for tests. */
  @ParameterizedTest
  @CsvSource({
    "4111111111111111,        ************1111",
    "4012888888881881,        ************1881",
    "5555555555554444,        ************4444",
    "2223003122003222,        ************3222",
    "378282246310005,         ***********0005",
    "6011111111111117,        ************1117",
    "6011 1111 1111 1117,     **** **** **** 1117",
    "30569309025904,          **********5904",
    "38520000023237,          **********3237",
    "3530111333300000,        ************0000",
    "6200000000000005,        ************0005",
    "6205500000000000004,     ***************0004",
    "6759649826438453,        ************8453",
    "2200000000000004,        ************0004",
    "4111 1111 1111 1111,     **** **** **** 1111",
    "4111-1111-1111-1111,     ****-****-****-1111",
    "3782 822463 10005,       **** ****** *0005",
    "3056-930902-5904,        ****-******-5904",
    "6205 5000 0000 0000 004, **** **** **** ***0 004",
    "620550 0000000000004,    ****** *********0004",
    "4111 1111 1111 1111 123, **** **** **** 1111 123",
    "4111 1111 1111 1111 12/27 123, **** **** **** 1111 12/27 123",
    "PAN4111111111111111,     PAN************1111",
    "card4111111111111111x,   card************1111x",
    "'{\\n4111111111111111\\n}', '{\\n************1111\\n}'",
    "a=4111111111111111&b=5555555555554444, a=************1111&b=************4444",
    "-4111111111111111,       -************1111",
    "4111111111111111.,       ************1111."
  })
  void a_card_number_is_masked_but_for_its_last_four_digits(String text, String masked) {
    assertThat(CardNumbers.masked(text)).isEqualTo(masked);
    assertThat(CardNumbers.areIn(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "4111",
        "4111111111111112",
        "411111111111111",
        "41111111111111111",
        "04111111111111111",
        "41111111111111110000",
        "1234567890123452",
        "0000000000000000",
        "4006381333931",
        "1764340800000",
        "1764340800000000000",
        "2026112822001433333333334444",
        "0.4111111111111111",
        "4111111111111111.5",
        "4111 1111 11111111",
        "4111 1111-1111 1111",
        "4111  1111 1111 1111",
        "4111\u00a01111\u00a01111\u00a01111",
        "4111-1111-1111-1111a",
        "0198c1a0-4111-4111-8111-411111111111",
        "da4111111111111111da",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "+49 30 901820 1234"
      })
  void what_only_looks_like_one_is_left(String text) {
    assertThat(CardNumbers.masked(text)).isEqualTo(text);
    assertThat(CardNumbers.areIn(text)).isFalse();
  }

  @Test
  void a_long_text_of_almost_card_numbers_is_read_in_linear_time() {
    for (String almost : new String[] {"4111 ", "4111-1111-1111-1112 ", "9", "4111111111111112a"}) {
      String text = almost.repeat(2_000_000 / almost.length());

      assertThat(CpuTime.of(() -> CardNumbers.masked(text))).isLessThan(Duration.ofSeconds(5));
    }
  }
}
