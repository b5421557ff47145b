select ebb.drop_partition(?)
