package dev.ebb.core.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which of a destination's keys sign a delivery. */
class KeyShareTest {
  private static final Instant START = Instant.parse("2027-01-31T17:00:00Z");
  private static final Instant WHOLE = START.plus(Duration.ofDays(10));
  private static final List<String> IDS =
      Stream.generate(UUID::randomUUID).limit(20_000).map(UUID::toString).toList();

  private static SigningKey key(String id, SigningScheme scheme, @Nullable KeyShare share) {
    return new SigningKey(
        id,
        scheme,
        "",
        null,
        START,
        null,
        new SignerNames(null, null, scheme == SigningScheme.ALIPAY ? "SHOP" : null),
        share);
  }

  private static SigningKey key(SigningScheme scheme, int percent) {
    return key("new", scheme, new KeyShare(percent, START, null));
  }

  private static List<String> chosen(Instant now, String id, SigningKey... keys) {
    return SigningKey.chosen(List.of(keys), id, now).stream().map(SigningKey::id).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 30, 99, 100})
  void where_a_request_has_room_for_one_signature_a_share_is_signed_by_the_new_key(int percent) {
    SigningKey old = key("old", SigningScheme.WECHATPAY, null);

    long byNew =
        IDS.stream()
            .map(id -> chosen(START, id, key(SigningScheme.WECHATPAY, percent), old))
            .peek(all -> assertThat(all).hasSize(1))
            .filter(List.of("new")::equals)
            .count();

    assertThat(100.0 * byNew / IDS.size()).isCloseTo(percent, within(2.0));
    assertThat(byNew == 0).isEqualTo(percent == 0);
    assertThat(byNew == IDS.size()).isEqualTo(percent == 100);
  }

  @Test
  void where_there_is_a_list_the_old_key_signs_all_and_the_new_one_its_share_besides() {
    SigningKey old = key("old", SigningScheme.V1, null);

    List<List<String>> all =
        IDS.stream().map(id -> chosen(START, id, key(SigningScheme.V1, 30), old)).toList();

    assertThat(all).containsOnly(List.of("new", "old"), List.of("old"));
    long both = all.stream().filter(List.of("new", "old")::equals).count();
    assertThat(100.0 * both / IDS.size()).isCloseTo(30, within(2.0));
  }

  @Test
  void a_job_stays_in_a_share_that_grows() {
    KeyShare share = new KeyShare(5, START, WHOLE);
    Instant half = START.plus(Duration.ofDays(5));

    assertThat(share.percent(START.minusSeconds(1))).isEqualTo(5);
    assertThat(share.percent(half)).isEqualTo(52.5);
    assertThat(share.percent(WHOLE.plusSeconds(1))).isEqualTo(100);
    List<String> early = IDS.stream().filter(id -> share.takes(id, START)).toList();
    assertThat(early).isNotEmpty().allMatch(id -> share.takes(id, half));
    assertThat(IDS).allMatch(id -> share.takes(id, WHOLE));
  }

  @Test
  void nothing_is_left_unsigned_because_no_share_takes_it() {
    assertThat(IDS).allMatch(id -> chosen(START, id, key(SigningScheme.ALIPAY, 0)).size() == 1);
    SigningKey ended = key("old", SigningScheme.V1, null).until(START);
    assertThat(chosen(START, "any", key(SigningScheme.V1, 0), ended)).containsExactly("new");
  }

  @Test
  void the_keys_of_other_schemes_sign_besides() {
    SigningKey other = key("other", SigningScheme.RSA, null);
    SigningKey old = key("old", SigningScheme.WECHATPAY, null);

    assertThat(chosen(START, "any", key(SigningScheme.WECHATPAY, 100), other, old))
        .containsExactly("new", "other");
  }
}
