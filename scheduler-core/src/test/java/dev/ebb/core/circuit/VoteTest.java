package dev.ebb.core.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
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
    assertThat(Vote.of(Outcome.failed(reason, ""))).isEqualTo(Vote.NEUTRAL);
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
        "client_key_sealed",
        "header_sealed",
        "no_destination"
      })
  void what_is_wrong_on_this_side_is_no_vote(String reason) {
    assertThat(Vote.of(Outcome.failed(reason, ""))).isEqualTo(Vote.NEUTRAL);
  }

  @Test
  void a_success_is_a_good_vote_and_what_decides_nothing_is_none() {
    Failure failure = new Failure("http_429", "");
    assertThat(Vote.of(Outcome.completed())).isEqualTo(Vote.GOOD);
    assertThat(Vote.of(new Outcome.Throttled(failure, Duration.ZERO))).isEqualTo(Vote.NEUTRAL);
    assertThat(Vote.of(new Outcome.Fatal(failure))).isEqualTo(Vote.NEUTRAL);
    assertThat(Vote.of(new Outcome.Fatal(failure, true))).isEqualTo(Vote.GONE);
    assertThat(Vote.of(Outcome.fatal("http_501", ""))).isEqualTo(Vote.NEUTRAL);
    assertThat(Vote.of(new Outcome.GivenBack())).isEqualTo(Vote.NONE);
    assertThat(Vote.of(new Outcome.Cancelled())).isEqualTo(Vote.NONE);
    assertThat(Vote.of(new Outcome.NotReady(null))).isEqualTo(Vote.NONE);
    assertThat(Vote.of(new Outcome.NotReady(null, true))).isEqualTo(Vote.GOOD);
  }

  @Test
  void bad_votes_of_a_job_count_once_among_those_in_a_row() {
    UUID job = UUID.randomUUID();
    UUID other = UUID.randomUUID();
    Ballot ballot =
        Ballot.of(3, Vote.BAD, job, "http_500")
            .plus(Ballot.of(3, Vote.BAD, job, "http_502"))
            .plus(Ballot.of(3, Vote.BAD, other, "timeout"));

    assertThat(ballot).isEqualTo(new Ballot(3, 0, 3, 0, 0, Set.of(job, other), "timeout"));
    assertThat(ballot.plus(Ballot.of(3, Vote.GOOD, job, null)).failing()).isEmpty();
  }
}
