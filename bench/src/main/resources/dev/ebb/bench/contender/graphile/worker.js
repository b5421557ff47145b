// Runs jobs of graphile-worker, and writes the number of each to standard output when it starts.
// Arguments: "migrate", or "run" and how many jobs run at a time. DATABASE_URL names the database.
import { run, runMigrations, Logger } from "graphile-worker";

const [, , command, concurrency] = process.argv;
const connectionString = process.env.DATABASE_URL;
const logger = new Logger(() => () => {});

if (command === "migrate") {
  await runMigrations({ connectionString, logger });
} else {
  const runner = await run({
    connectionString,
    logger,
    concurrency: Number(concurrency),
    noHandleSignals: true,
    taskList: {
      bench: (payload) => {
        process.stdout.write(`${payload.number}\n`);
      },
    },
  });
  process.stdout.write("ready\n");
  process.stdin.resume();
  process.stdin.on("end", () => runner.stop());
  await runner.promise;
}
