"""Submits with psycopg, in a transaction that rolls back and in one that commits."""

import json
import sys

import psycopg

PAID = json.dumps({"payment": 7, "from": "psycopg"})
SUBMIT = "select id, duplicate from ebb.submit(%s, %s, queue => %s, unique_key => %s)"


def submit(connection, kind="paid", key="psycopg-7"):
    return connection.execute(SUBMIT, (kind, PAID, "bookings", key)).fetchone()


with psycopg.connect(sys.argv[1]) as connection:
    with connection.transaction(force_rollback=True):
        gone, _ = submit(connection)
    with connection.transaction():
        connection.execute("insert into payment values (7)")
        stored, duplicate = submit(connection)
        assert stored != gone and not duplicate
        try:
            with connection.transaction():
                submit(connection, kind="7")
            sys.exit("a broken rule was not refused")
        except psycopg.Error as refused:
            assert refused.sqlstate == "EB001", refused
            assert refused.diag.message_detail == "/kind", refused
    assert submit(connection) == (stored, True)
    many = json.dumps([{"kind": "paid", "payload": {"n": n}} for n in range(1000)])
    assert len(connection.execute("select id from ebb.submit_many(%s)", (many,)).fetchall()) == 1000
