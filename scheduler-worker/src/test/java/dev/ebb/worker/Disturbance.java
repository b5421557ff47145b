package dev.ebb.worker;

import dev.ebb.core.job.NewJob;
import dev.ebb.db.Await;
import java.sql.SQLException;
import java.util.Collections;

/** One bad thing in one place; it lasts until the test ends. */
enum Disturbance {
  A_QUEUE_LOCK_THAT_A_STRANGER_HOLDS {
    @Override
    void begin(Containment test) throws SQLException {
      test.asStranger("select pg_advisory_xact_lock(6644322, hashtext('" + BAD + "'))");
      submit(test, 1);
    }
  },
  A_QUEUE_WHOSE_CLAIMS_FAIL {
    @Override
    void begin(Containment test) throws SQLException {
      onClaim(test, "raise exception 'broken'");
      submit(test, 1);
    }
  },
  A_QUEUE_WHOSE_CLAIMS_TAKE_SECONDS {
    @Override
    void begin(Containment test) throws SQLException {
      onClaim(test, "perform pg_sleep(3)");
      submit(test, 1);
    }
  },
  A_QUEUE_WHOSE_JOBS_DO_NOT_END {
    @Override
    void begin(Containment test) throws SQLException {
      submit(test, 1_000);
    }
  },
  JOBS_WHOSE_ROWS_A_STRANGER_LOCKS {
    @Override
    void begin(Containment test) throws Exception {
      lockWhileTheyRun(test, "ebb.job");
    }
  },
  A_BACKLOG_WHOSE_ROWS_A_STRANGER_LOCKS {
    @Override
    void begin(Containment test) throws Exception {
      for (int i = 0; i < 4; i++) {
        submit(test, 1_000);
      }
      test.asStranger("select from ebb.job where queue = '" + BAD + "' for update");
      test.mayEnd.countDown();
      Await.until("many have run", () -> test.bench.count("ebb.leased") >= 150);
    }
  },
  LEASES_THAT_A_STRANGER_LOCKS {
    @Override
    void begin(Containment test) throws Exception {
      lockWhileTheyRun(test, "ebb.lease");
    }
  },
  MANY_JOBS_OF_A_KIND_THAT_NOBODY_SERVES {
    @Override
    void begin(Containment test) throws SQLException {
      test.bench.execute(
          """
          insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
          select 'bad', 'strange', 5, now() - interval '1 hour', 16, '{}'
          from generate_series(1, 300000)
          """);
    }
  },
  TEN_THOUSAND_NEW_QUEUES {
    @Override
    void begin(Containment test) throws SQLException {
      test.bench.execute(
          """
          insert into ebb.job (queue, kind, priority, run_at, max_attempts, payload)
          select 'new-' || i, 'script', 5, now(), 16, '{}' from generate_series(1, 10000) i
          """);
    }
  },
  LOOKS_THAT_FAIL {
    @Override
    void begin(Containment test) throws SQLException {
      test.bench.execute("drop view ebb.leased cascade");
    }
  },
  A_PRUNER_THAT_FAILS {
    @Override
    void begin(Containment test) throws SQLException {
      test.bench.execute("drop function ebb.make_partitions");
    }
  };

  /** The queue in which jobs do not end before they may. */
  static final String BAD = "bad";

  abstract void begin(Containment test) throws Exception;

  private static void submit(Containment test, int jobs) throws SQLException {
    NewJob job = NewJob.builder(WorkerBench.KIND, "{}").queue(BAD).build();
    test.bench.jobs.submit(Collections.nCopies(jobs, job));
    test.notifier.workArrived(BAD);
  }

  /** Their handlers end only after that. */
  private static void lockWhileTheyRun(Containment test, String table) throws Exception {
    submit(test, 20);
    Await.until("they run", () -> test.bench.count("ebb.leased") == 20);
    test.asStranger("select from " + table + " where queue = '" + BAD + "' for update");
    test.mayEnd.countDown();
  }

  private static void onClaim(Containment test, String what) throws SQLException {
    test.bench.execute(
        """
        create function public.disturb() returns trigger language plpgsql as $$
          begin
            %s;
            return new;
          end
        $$;
        create trigger disturb before insert on ebb.lease
        for each row when (new.queue = 'bad') execute function public.disturb()
        """
            .formatted(what));
  }
}
