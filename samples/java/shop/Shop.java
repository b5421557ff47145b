package shop;

import dev.ebb.spring.EbbHandler;
import dev.ebb.spring.EbbTemplate;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
class Shop {
  public static void main(String[] args) { SpringApplication.run(Shop.class, args); }
}

record Paid(String id) {}

@RestController
class Payments {
  @Autowired JdbcClient db;
  @Autowired EbbTemplate ebb;

  @Transactional
  @PostMapping("/payments/{id}")
  public void pay(@PathVariable String id) {
    ebb.submit("paid", new Paid(id), job -> job.queue("merchants"));
    db.sql("insert into payment values (?)").param(id).update();
  }

  @EbbHandler(kind = "paid", queue = "merchants")
  void tell(Paid paid) {
    db.sql("update payment set told = true where id = ?").param(paid.id()).update();
  }
}
