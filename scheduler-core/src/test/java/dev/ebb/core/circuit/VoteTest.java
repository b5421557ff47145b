package dev.ebb.core.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VoteTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http_500",
        "http_503",
        "http_408",
        "http_302",
        "http_202",
        "body_mismatch",
        "timeout",
        "connection_refused",
        "connect_timeout",
        "connection_reset",
        "host_unreachable",
        "dns_failed",
        "tls_failed",
        "bad_response",
        "busy_at_the_bank"
      })
  void a_failure_of_the_destination_is_a_bad_vote(String reason) {
    assertThat(Vote.of(Outcome.failed(reason, ""))).isEqualTo(Vote.BAD);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http_400", "http_401", "http_404", "http_409", "http_422"})
  void what_a_merchant_says_about_a_job_is_no_vote(String reason) {
    assertThat(Vote.of(Outcome.failed(reason, ""))).isEqualTo(Vote.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "worker_lost",
        "exception",
        "dns_timeout",
        "proxy_unreachable",
        "proxy_refused",
        "signing_key_sealed",
        "no_destination"
      })
  void what_is_wrong_on_this_side_is_no_vote(String reason) {
    assertThat(Vote.of(Outcome.failed(reason, ""))).isEqualTo(Vote.NONE);
  }

  @Test
  void a_success_is_a_good_vote_and_what_decides_nothing_is_none() {
    Failure failure = new Failure("http_429", "");
    assertThat(Vote.of(Outcome.completed())).isEqualTo(Vote.GOOD);
    assertThat(Vote.of(new Outcome.Throttled(failure, Duration.ZERO))).isEqualTo(Vote.NONE);
    assertThat(Vote.of(new Outcome.Fatal(failure))).isEqualTo(Vote.NONE);
    assertThat(Vote.of(new Outcome.GivenBack())).isEqualTo(Vote.NONE);
    assertThat(Vote.of(new Outcome.Cancelled())).isEqualTo(Vote.NONE);
    assertThat(Vote.of(new Outcome.NotReady(null))).isEqualTo(Vote.NONE);
  }

  @Test
  void bad_votes_of_one_job_after_another_count_as_one_in_a_row() {
    Ballot first = Ballot.of(3, Vote.BAD, "http_500");
    Ballot again = first.plus(Ballot.of(3, Vote.BAD, "http_502"), true);
    Ballot other = again.plus(Ballot.of(3, Vote.BAD, "timeout"), false);

    assertThat(other).isEqualTo(new Ballot(3, 0, 3, 2, "timeout"));
    assertThat(other.plus(Ballot.of(3, Vote.GOOD, null), false).badInARow()).isZero();
  }
}
