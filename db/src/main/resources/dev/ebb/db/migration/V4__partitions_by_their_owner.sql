-- Only a table's owner can make and drop partitions. These two do it as their owner, so that a worker
-- need not be that: its role reads and writes rows, and is granted these two functions.
alter function ebb.make_partitions(integer)
  security definer set search_path = pg_catalog, pg_temp;
alter function ebb.drop_partition(integer)
  security definer set search_path = pg_catalog, pg_temp;

revoke execute on function ebb.make_partitions(integer), ebb.drop_partition(integer) from public;
