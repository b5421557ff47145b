package dev.ebb.spring;

import java.util.Map;

/**
 * How the worker stands, in Spring Boot's words.
 *
 * @param status a code of its health
 */
record WorkerHealth(String status, Map<String, String> details) {
  static WorkerHealth up(String worker) {
    return new WorkerHealth("UP", Map.of("worker", worker));
  }

  /** It takes no more jobs, and is not broken. */
  static WorkerHealth outOfService(String why) {
    return new WorkerHealth("OUT_OF_SERVICE", Map.of("worker", why));
  }

  static WorkerHealth down(String worker, Throwable failure) {
    return new WorkerHealth("DOWN", Map.of("worker", worker, "error", failure.toString()));
  }
}
