package dev.ebb.api.destinations;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.queues.QueuesController;
import dev.ebb.api.secrets.Sealing;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.core.tls.Certificates;
import dev.ebb.core.tls.ClientKey;
import dev.ebb.core.tls.TlsSettings;
import dev.ebb.db.queue.Queues;
import jakarta.servlet.http.HttpServletRequest;
import java.security.cert.X509Certificate;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;

/** Gives destinations authorities and client certificates of their own, and takes them away. */
@Controller
public final class TlsController {
  private static final String TLS = "/v1/destinations/{destination}/tls";

  private final Bodies bodies;
  private final Queues queues;
  private final Sealing sealing;

  TlsController(Bodies bodies, Queues queues, SecretBox box) {
    this.bodies = bodies;
    this.queues = queues;
    this.sealing = new Sealing(box);
  }

  /** Replaces all that there is. */
  @PutMapping(path = TLS, produces = "application/json")
  @Needs(Scope.QUEUES_ADMIN)
  Answer put(HttpServletRequest request, @PathVariable String destination) throws SQLException {
    QueuesController.requireName(destination);
    JsonObject body = bodies.object(request);
    body.allow("trust", "certificate", "key", "reason");
    Act act = Caller.of(request).act(request, body);
    TlsSettings tls = body.build(() -> settings(destination, body));
    change(destination, tls, act);
    return Answer.ok(TlsResource.of(tls));
  }

  private TlsSettings settings(String destination, JsonObject body) {
    String trust = body.optional("trust", JsonValue::string);
    String certificate = body.optional("certificate", JsonValue::string);
    String key = body.optional("key", JsonValue::string);
    String trusted = trust == null ? null : Certificates.pem(Certificates.parse(trust, "trust"));
    if (certificate == null) {
      InvalidInput.require(key == null, "key", "must be absent without a certificate");
      InvalidInput.require(trusted != null, "trust", "must be given, or certificate and key");
      return new TlsSettings(trusted, null, null);
    }
    if (key == null) {
      throw new InvalidInput("key", "must be given with a certificate");
    }
    List<X509Certificate> chain = Certificates.parse(certificate, "certificate");
    byte[] secret = ClientKey.parse(key, chain.getFirst());
    String sealed = sealing.seal(secret, TlsSettings.context(destination));
    return new TlsSettings(trusted, Certificates.pem(chain), sealed);
  }

  /** From then on deliveries are secured as usual. */
  @DeleteMapping(TLS)
  @Needs(Scope.QUEUES_ADMIN)
  Answer delete(HttpServletRequest request, @PathVariable String destination) throws SQLException {
    QueuesController.requireName(destination);
    Act act = Caller.of(request).act(request, bodies.optional(request, "reason"));
    change(destination, null, act);
    return Answer.none();
  }

  private void change(String destination, @Nullable TlsSettings tls, Act act) throws SQLException {
    if (queues.changeTls(destination, tls, act).isEmpty()) {
      throw DestinationsController.unknown(destination);
    }
  }
}
