package dev.ebb.api.jobs.export;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.access.Open;
import dev.ebb.api.access.OpenRequests;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.contract.ExportKeyList;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.signing.ExportKey;
import dev.ebb.db.export.ExportKeys;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.sql.SQLException;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** Shows the public keys of exports to everybody who was given one, and rotates them. */
@Controller
@RequestMapping(produces = "application/json")
public final class ExportKeysController {
  private static final String KEYS = "/v1/export-keys";

  private final Bodies bodies;
  private final ExportKeys keys;
  private final ExportSigner signer;
  private final OpenRequests open;

  ExportKeysController(Bodies bodies, ExportKeys keys, ExportSigner signer, OpenRequests open) {
    this.bodies = bodies;
    this.keys = keys;
    this.signer = signer;
    this.open = open;
  }

  @GetMapping(KEYS)
  @Open
  Answer list(InetAddress sender) throws SQLException {
    open.charge(sender);
    return Answer.ok(
        new ExportKeyList(keys.list().stream().map(ExportKeysController::shown).toList()));
  }

  @PostMapping(KEYS)
  @Needs(Scope.QUEUES_ADMIN)
  Answer rotate(HttpServletRequest request) throws SQLException {
    Act act = Caller.of(request).act(request, bodies.optional(request, "reason"));
    return Answer.created(KEYS, shown(signer.rotate(act)));
  }

  private static dev.ebb.contract.ExportKey shown(ExportKey key) {
    return new dev.ebb.contract.ExportKey(
        key.id(),
        key.publicKey(),
        Answer.shown(key.createdAt()),
        Answer.shownOrNull(key.retiredAt()));
  }
}
