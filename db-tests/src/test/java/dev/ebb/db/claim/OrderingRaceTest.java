package dev.ebb.db.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Sabotage;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Submits, claims, settlements and cancels of the same ordering keys at the same time. */
class OrderingRaceTest {
  @Test
  void each_key_keeps_its_order_runs_one_at_a_time_and_comes_to_its_end() throws Exception {
    DatabaseConfig config = TestPostgres.shared().newDatabase();

    OrderingRace.Result result = OrderingRace.run(config);

    assertThat(result).isEqualTo(new OrderingRace.Result(0, 0, 0));
  }

  @Test
  void control_without_the_guard_of_the_claim_keys_lose_their_order() throws Exception {
    DatabaseConfig config = TestPostgres.shared().newDatabase();
    List<String> command = Sabotage.javaWithoutTurn(OrderingRace.class, config.url());

    String[] numbers = Sabotage.lastLine(command).split(" ", 3);

    assertThat(Integer.parseInt(numbers[0])).as("that ran beside another").isPositive();
    assertThat(Integer.parseInt(numbers[1])).as("that started late").isPositive();
  }
}
