// Submits with node-postgres, in a transaction that rolls back and in one that commits.
import assert from "node:assert/strict";
import pg from "pg";

const PAID = JSON.stringify({ payment: 8, from: "node-postgres" });
const SUBMIT = "select id, duplicate from ebb.submit($1, $2, queue => $3, unique_key => $4)";

const client = new pg.Client({ connectionString: process.argv[2] });
await client.connect();
const submit = async (kind = "paid") =>
  (await client.query(SUBMIT, [kind, PAID, "bookings", "node-8"])).rows[0];

await client.query("begin");
const gone = await submit();
await client.query("rollback");

await client.query("begin");
await client.query("insert into payment values (8)");
const stored = await submit();
assert.notEqual(stored.id, gone.id);
assert.equal(stored.duplicate, false);
await client.query("savepoint broken");
await assert.rejects(submit("8"), { code: "EB001", detail: "/kind" });
await client.query("rollback to broken");
await client.query("commit");

assert.deepEqual(await submit(), { id: stored.id, duplicate: true });
const many = JSON.stringify(Array.from({ length: 1000 }, (_, n) => ({ kind: "paid", payload: { n } })));
assert.equal((await client.query("select id from ebb.submit_many($1)", [many])).rowCount, 1000);
await client.end();
