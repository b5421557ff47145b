select ebb.make_partitions(?)
