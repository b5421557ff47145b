package dev.ebb.spring;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A row of an application that uses JPA. */
@Entity
@Table(name = "payment")
class Payment {
  @Id String id = "";

  Payment() {}

  Payment(String id) {
    this.id = id;
  }
}
