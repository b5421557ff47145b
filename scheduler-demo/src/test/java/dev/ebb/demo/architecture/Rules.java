package dev.ebb.demo.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The walls of the house, for the packages below a root. */
final class Rules {
  private static final Pattern CLOCK_OR_CHANCE =
      Pattern.compile(
          """
          java\\.time\\.\\w+\\.(now|system\\w*|tick\\w*)\\(.*
          |java\\.lang\\.System\\.(nanoTime|currentTimeMillis)\\(.*
          |java\\.util\\.(Date|GregorianCalendar)\\.<init>\\(\\)
          |java\\.lang\\.Math\\.random\\(.*
          |java\\.util\\.UUID\\.randomUUID\\(.*
          |java\\.util\\.concurrent\\.ThreadLocalRandom\\..*
          |java\\.util\\.random\\.RandomGenerator\\.(getDefault|of)\\(.*
          |java\\.(util\\.|security\\.)\\w*Random\\.<init>\\(\\)
          """,
          Pattern.COMMENTS);

  /** Pure as core is: matches what others send in linear time. */
  private static final String RE2 = "com.google.re2j..";

  /** What the other modules use of db, besides what the types' own methods answer. */
  private static final Set<String> DOORS =
      Set.of(
          // verbs
          "JobQueue",
          "Circuits",
          "CircuitView",
          "CircuitPass",
          "CircuitRuleJson",
          "JobChanges",
          "ActionResult",
          "Submitter",
          "Submitted",
          "Submission",
          "SubmitAnswer",
          "FunctionGrant",
          "StartAnswer",
          "Matched",
          "UniqueKeyLocked",
          "Claimer",
          "ClaimRequest",
          "ClaimAnswer",
          "Lease",
          "ClaimedJob",
          "WorkFinder",
          "FinishedAttempt",
          "SettleResult",
          "RescueDecision",
          "LeaseExpiry",
          // workers that poll
          "Ending",
          "PollWork",
          "PolledJob",
          "PolledLease",
          "PolledLeases",
          "PolledSettle",
          "Pollers",
          "Renewal",
          "Settled",
          // queues, views, notifications
          "Queues",
          "AddedKeys",
          "MissingKeys",
          "Reseal",
          "QueueSettings",
          "QueueView",
          "QueuePage",
          "DestinationReads",
          "WorstPage",
          "CertificateEnd",
          "Trouble",
          "QueueDepths",
          "Limiters",
          "RunningJobs",
          "Kinds",
          "Policies",
          "NamedSettings",
          "Schedules",
          "ScheduleView",
          "SchedulePage",
          "FireView",
          "FirePage",
          "JobReads",
          "JobView",
          "BlockedKeys",
          "JobPage",
          "JobCount",
          "JobStanding",
          "AttemptView",
          "DestinationAttempts",
          "EndedAttempt",
          "AttemptPage",
          "AttemptWait",
          "JobHistory",
          "ExportKeys",
          "JobMatches",
          "Operations",
          "OperationView",
          "OperationItem",
          "OperationCarrier",
          "CarriedStep",
          "Notifier",
          "NotificationListener",
          // access
          "Tokens",
          "TokenView",
          "LiveToken",
          "NewSecret",
          "Revocation",
          "JobLinks",
          "JobLink",
          "SessionKeys",
          "Nodes",
          "NodeFacts",
          "NodeView",
          "Heartbeat",
          "Coverage",
          "ClusterSettings",
          // the start of the cluster
          "PausedStart",
          "StartState",
          "StartWatch",
          "Restoration",
          "Waits",
          "WaitingJob",
          "DeadHour",
          "ErrorGroups",
          "ErrorGroupView",
          "ErrorGroupPage",
          "GroupBy",
          "GroupQuery",
          "GroupChange",
          "MeteredQueues",
          "GaugeLease",
          "QueueFigures",
          "QueueFigureReads",
          "FailureCount",
          "Forecasts",
          "Forecast",
          "AttemptCounts",
          "AuditReads",
          "JobNotes",
          "AuditEntry",
          "Change",
          "AuditFilter",
          // statistics
          "StatReads",
          "Series",
          "Counts",
          "Counter",
          "OverviewReads",
          "Overview",
          "QueueStat",
          "Fold",
          "StatRetention",
          "SubjectStats",
          "SubjectReads",
          "SubjectTrends",
          "SubjectTrend",
          "DestinationFigures",
          "DestinationStats",
          "DestinationStat",
          // schedules
          "Firing",
          "FireHistory",
          "HandRun",
          "TriggerRows",
          "FireTally",
          // events
          "EventLog",
          "EventPosition",
          "EventBatch",
          "EventNeeds",
          "Event",
          // loops
          "Loop",
          "FailureLog",
          "Pause",
          "Traces",
          // formats, schema, connections
          "PolicyJson",
          "RateLimitJson",
          "OrderingJson",
          "DeliveryJson",
          "FollowUpsJson",
          "DestinationJson",
          "ResponseRulesJson",
          "JsonValues",
          "Migrations",
          "Partitions",
          "Retention",
          "ServerFacts",
          "DatabaseHealth",
          "Database",
          "DatabaseClock",
          "StatementLimit",
          "Storing",
          "Confirmation",
          "Acknowledgements",
          "LostJobs",
          "LostJob",
          "Identity",
          "IdentityWatch",
          "DatabaseConfig",
          "Patience",
          "SqlStates");

  private static final SliceAssignment OUTERMOST =
      new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
          return SliceIdentifier.of(type.getPackageName(), outermost(type));
        }

        @Override
        public String getDescription() {
          return "classes with what is nested in them";
        }
      };

  private final String client;
  private final String contract;
  private final String core;
  private final String db;
  private final String worker;
  private final String cron;
  private final String api;
  private final String ui;
  private final String app;
  private final String demo;
  private final String starter;
  private final String root;

  private Rules(String root) {
    this.root = root;
    this.client = root + ".client..";
    this.contract = root + ".contract..";
    this.core = root + ".core..";
    this.db = root + ".db..";
    this.worker = root + ".worker..";
    this.cron = root + ".cron..";
    this.api = root + ".api..";
    this.ui = root + ".ui..";
    this.app = root + ".app..";
    this.demo = root + ".demo..";
    this.starter = root + ".spring..";
  }

  /** Every rule by its sentence. */
  static Map<String, ArchRule> below(String root) {
    return new Rules(root).all();
  }

  private Map<String, ArchRule> all() {
    Map<String, ArchRule> rules = new TreeMap<>();
    rules.put("packages have no cycles", noCycles());
    rules.put("classes have no cycles", noCyclesOfClasses());
    rules.put("outside db only its doors are used", doorsAlone());
    rules.put("core has no clock and no chance", noClockIn(core));
    rules.put(
        "core knows Java and the contract alone",
        knows(core, not(in(core, contract, "java..", "javax.crypto..", "org.jspecify..", RE2))));
    rules.put(
        "the client knows the JDK and the contract alone",
        noClasses()
            .that(in(client))
            // The adapters of what an application may have.
            .and(not(nameMatching(".*\\.Jackson[23]Json")))
            .should()
            .dependOnClassesThat(
                not(in(client, contract, "java..", "javax.sql..", "org.jspecify.."))));
    rules.put("core starts no threads", knows(core, threads()));
    rules.put("db knows core alone", knows(db, in(worker, cron, api, ui, app, demo)));
    rules.put("the worker does not know the API", knows(worker, in(cron, api, ui, app, demo)));
    rules.put("cron knows db and core alone", knows(cron, in(worker, api, ui, app, demo)));
    rules.put("the API does not know the worker", knows(api, in(worker, cron, ui, app, demo)));
    rules.put("the dashboard knows API and core alone", knows(ui, in(db, worker, cron, app, demo)));
    rules.put("the app does not know the demo", knows(app, in(demo)));
    rules.put(
        "the starter knows the client alone",
        knows(starter, in(contract, core, db, worker, cron, api, ui, app, demo)));
    rules.put(
        "Spring stays in API, dashboard, app and starter",
        elsewhereThan(spring(), api, ui, app, starter));
    rules.put("what unpacks a database stays in the demo", elsewhereThan(unpackers(), demo));
    rules.put("Quartz stays in cron", elsewhereThan(in("org.quartz.."), cron));
    rules.put("SQL stays in db, client and starter", sqlStaysInDb());
    return rules;
  }

  private ArchRule noCycles() {
    return slices().matching(root + ".(**)").should().beFreeOfCycles();
  }

  /** Of a class and those nested in it. */
  private static ArchRule noCyclesOfClasses() {
    return slices()
        .assignedFrom(OUTERMOST)
        .should()
        .beFreeOfCycles()
        // A job names the jobs that follow it.
        .ignoreDependency("dev.ebb.core.job.NewJob", "dev.ebb.core.job.FollowUps")
        .ignoreDependency("dev.ebb.core.job.NewJob$Builder", "dev.ebb.core.job.FollowUps");
  }

  private ArchRule doorsAlone() {
    DescribedPredicate<JavaClass> doors =
        DescribedPredicate.describe("are doors of db", type -> DOORS.contains(outermost(type)));
    return noClasses()
        .that(not(in(db)))
        .should()
        .dependOnClassesThat(in(db).and(not(doors)))
        .because("a type of db that others may use has to be named: add it to Rules.DOORS");
  }

  private static String outermost(JavaClass type) {
    String name = type.getBaseComponentType().getName();
    return name.substring(name.lastIndexOf('.') + 1).replaceFirst("\\$.*", "");
  }

  private static ArchRule noClockIn(String packages) {
    return noClasses()
        .that(in(packages))
        .should()
        .accessTargetWhere(
            DescribedPredicate.describe(
                "reads a clock or draws by chance", Rules::readsClockOrChance));
  }

  private static boolean readsClockOrChance(JavaAccess<?> access) {
    return CLOCK_OR_CHANCE.matcher(access.getTarget().getFullName()).matches();
  }

  /** No class of the packages may depend on any of those. */
  private static ArchRule knows(String packages, DescribedPredicate<JavaClass> forbidden) {
    return noClasses().that(in(packages)).should().dependOnClassesThat(forbidden);
  }

  private ArchRule elsewhereThan(DescribedPredicate<JavaClass> forbidden, String... allowed) {
    return noClasses()
        .that(in(root + ".."))
        .and(not(in(allowed)))
        .should()
        .dependOnClassesThat(forbidden);
  }

  /** Quartz asks for connections, which one class hands on, and for statements. */
  private ArchRule sqlStaysInDb() {
    return noClasses()
        .that(in(root + ".."))
        .and(not(in(db, client, starter)))
        .and(not(name(root + ".cron.DatabaseConnections")))
        .and(not(name(root + ".cron.TextDelegate")))
        .should()
        .dependOnClassesThat(sql());
  }

  private static DescribedPredicate<JavaClass> threads() {
    return belongToAnyOf(Thread.class).or(in("java.util.concurrent.."));
  }

  private static DescribedPredicate<JavaClass> spring() {
    return in("org.springframework..");
  }

  private static DescribedPredicate<JavaClass> unpackers() {
    return in("io.zonky..", "org.tukaani..", "org.apache.commons..");
  }

  /** Callers of db have to declare and tell apart its exceptions: no more of JDBC is theirs. */
  private static DescribedPredicate<JavaClass> sql() {
    return in("java.sql..", "javax.sql..", "org.postgresql..", "com.zaxxer..", "org.flywaydb..")
        .and(not(assignableTo(SQLException.class)));
  }

  private static DescribedPredicate<JavaClass> in(String... packages) {
    return resideInAnyPackage(packages);
  }
}
