package dev.ebb.api.problem;

import java.util.Locale;

/** The stable names of everything that can be refused; a client may branch on them. */
public enum ProblemCode {
  MALFORMED_REQUEST(400, "The request cannot be read"),
  INVALID_JSON(400, "The body is not acceptable JSON"),
  INVALID_INPUT(400, "The body breaks a rule"),
  INVALID_PARAMETER(400, "A parameter breaks a rule"),
  INVALID_CURSOR(400, "The cursor is not valid"),
  UNAUTHENTICATED(401, "The request has no valid token"),
  CROSS_SITE(403, "Another site's page sent the request"),
  MISSING_SCOPE(403, "The token does not allow this"),
  QUEUE_NOT_ALLOWED(403, "The token does not allow this queue"),
  READ_ONLY(403, "The node is read-only"),
  NOT_FOUND(404, "Nothing exists at this path"),
  JOB_NOT_FOUND(404, "There is no such job"),
  ATTEMPT_NOT_FOUND(404, "The job has no such attempt"),
  GROUP_NOT_FOUND(404, "There is no such group of dead letters"),
  QUEUE_NOT_FOUND(404, "There is no such queue"),
  DESTINATION_NOT_FOUND(404, "There is no such destination"),
  LINK_NOT_FOUND(404, "The job has no such link"),
  KEY_NOT_FOUND(404, "The destination has no such key"),
  SCHEDULE_NOT_FOUND(404, "There is no such schedule"),
  KIND_NOT_FOUND(404, "There are no settings of this kind"),
  POLICY_NOT_FOUND(404, "There is no such policy"),
  TOKEN_NOT_FOUND(404, "There is no such token"),
  NODE_NOT_FOUND(404, "There is no such node"),
  OPERATION_NOT_FOUND(404, "There is no such operation"),
  METHOD_NOT_ALLOWED(405, "The method is not allowed here"),
  NOT_ACCEPTABLE(406, "No representation matches the request's Accept"),
  REQUEST_TIMEOUT(408, "The request took too long to arrive"),
  WRONG_STATE(409, "The state does not allow it"),
  WORKER_NAME_TAKEN(409, "Another has the worker's name"),
  UNIQUE_KEY_TAKEN(409, "Another job has this unique key"),
  IDEMPOTENCY_KEY_IN_FLIGHT(409, "A request with this Idempotency-Key is in progress"),
  QUEUE_NOT_EMPTY(409, "The queue is not empty"),
  TOO_MANY_KEYS(409, "The destination has too many keys"),
  TOO_MANY_LINKS(409, "The job has too many links"),
  KEYS_EXPIRE(409, "The other keys expire"),
  NO_SECRETS_KEY(409, "The node has no key to encrypt secrets with"),
  POLICY_IN_USE(409, "Queues follow the policy"),
  COUNT_DIFFERS(409, "The number of jobs differs from the expected one"),
  PAYLOAD_ERASED(409, "The payload is erased"),
  PRECONDITION_FAILED(412, "The resource has changed"),
  BODY_TOO_LARGE(413, "The body is too large"),
  UNSUPPORTED_MEDIA_TYPE(415, "The body's media type is not supported"),
  WRONG_HOST(421, "This host is not served here"),
  IDEMPOTENCY_KEY_REUSED(422, "The Idempotency-Key was used with another body"),
  PRECONDITION_REQUIRED(428, "The request must name the version that it replaces"),
  QUEUE_FULL(429, "The queue is full"),
  TOO_MANY_REQUESTS(429, "The request quota is used up"),
  INTERNAL_ERROR(500, "The request failed inside Ebb"),
  NOT_IMPLEMENTED(501, "Ebb does not support the method or the transfer coding"),
  UNIQUE_KEY_HELD(503, "Another transaction has locked the unique key"),
  DATABASE_UNAVAILABLE(503, "The database is not available"),
  BUSY(503, "The server is busy"),
  STOPPING(503, "The process is stopping"),
  NOT_READY(503, "The node is not ready"),
  VERSION_NOT_SUPPORTED(505, "Ebb does not support the version of HTTP");

  private final int status;
  private final String title;

  ProblemCode(int status, String title) {
    this.status = status;
    this.title = title;
  }

  /** The code that fits a status which Tomcat or Spring chose. */
  static ProblemCode ofStatus(int status) {
    return switch (status) {
      case 404 -> NOT_FOUND;
      case 405 -> METHOD_NOT_ALLOWED;
      case 406 -> NOT_ACCEPTABLE;
      case 408 -> REQUEST_TIMEOUT;
      case 413 -> BODY_TOO_LARGE;
      case 415 -> UNSUPPORTED_MEDIA_TYPE;
      case 501 -> NOT_IMPLEMENTED;
      case 505 -> VERSION_NOT_SUPPORTED;
      default -> status < 500 ? MALFORMED_REQUEST : INTERNAL_ERROR;
    };
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  public String title() {
    return title;
  }

  /** The name in answers: lower case, words joined by an underscore. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether the same request may succeed later without a change. */
  boolean retryable() {
    return this == DATABASE_UNAVAILABLE
        || this == UNIQUE_KEY_HELD
        || this == IDEMPOTENCY_KEY_IN_FLIGHT
        || this == BUSY
        || this == STOPPING
        || this == NOT_READY
        || this == QUEUE_FULL
        || this == TOO_MANY_REQUESTS
        || this == REQUEST_TIMEOUT;
  }
}
