package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.spring.test.EbbJobs;
import dev.ebb.spring.test.EbbTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

@SpringBootTest
@EbbTest
class ShopTest {
  @Autowired Payments payments;
  @Autowired EbbJobs jobs;
  @Autowired JdbcClient db;

  @BeforeEach
  void clear() {
    db.sql("delete from payment").update();
  }

  @Test
  void a_merchant_is_told_of_its_payment() throws Exception {
    payments.pay("p-7");

    assertThat(jobs.submitted("paid")).hasSize(1);
    jobs.drain("merchants");
    assertThat(db.sql("select told from payment").query(Boolean.class).single()).isTrue();
  }

  @Test
  void a_payment_that_is_not_stored_is_not_told() {
    payments.pay("p-7");

    assertThatThrownBy(() -> payments.pay("p-7"));
    assertThat(jobs.submitted()).hasSize(1);
  }
}
