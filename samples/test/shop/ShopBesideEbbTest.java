package shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.spring.test.EbbContainer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;

/** The shop with a server of Ebb, its own worker, and nothing replaced. */
@SpringBootTest
@DirtiesContext
class ShopBesideEbbTest {
  static final Network NETWORK = Network.newNetwork();
  static final GenericContainer<?> POSTGRES =
      new GenericContainer<>("postgres:18")
          .withNetwork(NETWORK)
          .withNetworkAliases("postgres")
          .withEnv("POSTGRES_PASSWORD", "shop")
          .withExposedPorts(5432)
          .waitingFor(Wait.forLogMessage(".*database system is ready to accept connections.*", 2));
  static final EbbContainer EBB =
      new EbbContainer("ebb:local")
          .withNetwork(NETWORK)
          .withDatabase("jdbc:postgresql://postgres:5432/postgres", "postgres", "shop")
          .dependsOn(POSTGRES);

  @Autowired Payments payments;
  @Autowired JdbcClient db;

  @DynamicPropertySource
  static void start(DynamicPropertyRegistry registry) {
    EBB.start();
    String address = POSTGRES.getHost() + ":" + POSTGRES.getMappedPort(5432);
    registry.add("spring.datasource.url", () -> "jdbc:postgresql://" + address + "/postgres");
    registry.add("spring.datasource.username", () -> "postgres");
    registry.add("spring.datasource.password", () -> "shop");
    registry.add("ebb.url", EBB::url);
    registry.add("ebb.token", EBB::token);
  }

  @AfterAll
  static void stop() {
    EBB.stop();
    POSTGRES.stop();
    NETWORK.close();
  }

  @Test
  void a_merchant_is_told_of_its_payment() throws Exception {
    db.sql("create table payment (id text primary key, told boolean not null default false)")
        .update();
    payments.pay("p-7");

    Instant deadline = Instant.now().plus(Duration.ofMinutes(1));
    while (!db.sql("select told from payment").query(Boolean.class).single()) {
      assertThat(Instant.now()).isBefore(deadline);
    }
  }
}
