package org.springframework.samples;

import dev.ebb.spring.EbbHandler;
import org.springframework.stereotype.Component;

/** A bean of that application. */
@Component
public class Clinic {
  @EbbHandler(kind = "visited")
  void on(String visit) {}
}
