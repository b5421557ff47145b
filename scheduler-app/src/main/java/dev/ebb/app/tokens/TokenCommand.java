package dev.ebb.app.tokens;

import dev.ebb.app.roles.Machine;
import dev.ebb.app.roles.Schema;
import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.Moment;
import dev.ebb.core.access.NewToken;
import dev.ebb.core.access.Role;
import dev.ebb.core.access.Scope;
import dev.ebb.db.access.NewSecret;
import dev.ebb.db.access.Revocation;
import dev.ebb.db.access.TokenView;
import dev.ebb.db.access.Tokens;
import dev.ebb.db.connection.Database;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes, lists and revokes tokens on the machine, without a token. */
public final class TokenCommand {
  private static final int PAGE = 200;

  private static final String USAGE =
      """
      ./ebb token create NAME ROLE            creates a token and prints it once
      ./ebb token create NAME SCOPE,SCOPE 90d with scopes of its own, for 90 days
      ./ebb token list                        lists tokens, without their secrets
      ./ebb token revoke NAME                 revokes a token, everywhere within five seconds

      roles: %s; scopes: %s\
      """
          .formatted(
              Stream.of(Role.values()).map(Role::word).collect(Collectors.joining(", ")),
              String.join(", ", Scope.words(List.of(Scope.values()))));

  private final Tokens tokens;
  private final PrintStream out;
  private final PrintStream told;

  private TokenCommand(Tokens tokens, PrintStream out, PrintStream told) {
    this.tokens = tokens;
    this.out = out;
    this.told = told;
  }

  /**
   * Does what the arguments say.
   *
   * @param out gets what was asked for alone, so that a script can keep a token
   * @param told gets what a person should know besides
   * @throws CannotStart if the arguments or the database are wrong
   */
  public static void run(
      Settings settings, List<String> arguments, PrintStream out, PrintStream told) {
    Verb verb = parse(arguments);
    try (Database database = Database.open(settings.database())) {
      Schema.require(settings, database);
      verb.on(new TokenCommand(new Tokens(database), out, told));
    } catch (SQLException failure) {
      throw Schema.unusable(settings.database(), failure);
    }
  }

  /** What the arguments ask for; wrong ones are told without a database. */
  @FunctionalInterface
  private interface Verb {
    void on(TokenCommand command) throws SQLException;
  }

  private static Verb parse(List<String> arguments) {
    String verb = arguments.isEmpty() ? "" : arguments.getFirst();
    int more = arguments.size() - 1;
    if (verb.equals("create") && (more == 2 || more == 3)) {
      NewToken token =
          token(arguments.get(1), arguments.get(2), more == 3 ? arguments.get(3) : null);
      return command -> command.create(token);
    }
    if (verb.equals("list") && more == 0) {
      return TokenCommand::list;
    }
    if (verb.equals("revoke") && more == 1) {
      return command -> command.revoke(arguments.get(1));
    }
    throw CannotStart.wrongUse(USAGE);
  }

  private static NewToken token(String name, String rights, @Nullable String lifetime) {
    try {
      return new NewToken(name, scopes(rights), duration(lifetime));
    } catch (InvalidInput invalid) {
      throw wrong(invalid);
    }
  }

  private static CannotStart wrong(InvalidInput invalid) {
    return CannotStart.wrongUse(invalid.field() + " " + invalid.rule());
  }

  private void create(NewToken token) throws SQLException {
    try {
      NewSecret made = tokens.create(token, Machine.user()).orElseThrow();
      told.println("Copy it now: it cannot be shown again.");
      out.println(made.text());
    } catch (InvalidInput invalid) {
      throw wrong(invalid);
    }
  }

  private static Set<Scope> scopes(String rights) {
    return rights.contains(":")
        ? Scope.parse(List.of(rights.split(",", -1)))
        : Role.parse(rights).scopes();
  }

  private static @Nullable Duration duration(@Nullable String text) {
    if (text == null) {
      return null;
    }
    String iso = text.toUpperCase(Locale.ROOT);
    try {
      return Duration.parse(iso.startsWith("P") ? iso : (iso.endsWith("D") ? "P" : "PT") + iso);
    } catch (DateTimeException wrong) {
      throw new InvalidInput("lifetime", "must be a duration such as 90d or 12h");
    }
  }

  private void list() throws SQLException {
    String after = "";
    for (List<TokenView> page = tokens.list(after, PAGE);
        !page.isEmpty();
        page = tokens.list(after, PAGE)) {
      page.forEach(token -> out.println(line(token)));
      after = page.getLast().id();
    }
  }

  private static String line(TokenView token) {
    String rights =
        Role.of(token.scopes())
            .map(Role::word)
            .orElseGet(() -> String.join(",", Scope.words(token.scopes())));
    return "%s  %-20s  %-24s  %s".formatted(token.id(), token.name(), rights, fate(token));
  }

  private static String fate(TokenView token) {
    Instant revoked = token.revokedAt();
    if (revoked != null) {
      return "revoked " + Moment.words(revoked);
    }
    Instant used = token.lastUsedAt();
    Instant expires = token.expiresAt();
    String fate = expires != null && expires.isBefore(Instant.now()) ? ", expired " : ", expires ";
    return (used == null ? "never used" : "used " + Moment.words(used))
        + (expires == null ? "" : fate + Moment.words(expires));
  }

  private void revoke(String idOrName) throws SQLException {
    Optional<Revocation> byId = tokens.revoke(idOrName, Machine.user());
    Revocation revoked =
        (byId.isPresent() ? byId : tokens.revokeNamed(idOrName, Machine.user()))
            .orElseThrow(() ->
                CannotStart.unable("There is no live token of this name or id: " + idOrName + "."));
    String name = revoked.token().name();
    told.println(
        revoked.others() == 0
            ? "Revoked " + name + ": every node refuses it within five seconds."
            : ("Revoked %s and %s more tokens created with it:"
                    + " every node refuses them within five seconds.")
                .formatted(name, revoked.others()));
  }
}
