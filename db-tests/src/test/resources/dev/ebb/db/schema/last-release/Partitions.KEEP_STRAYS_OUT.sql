lock table ebb.history_rest, ebb.attempt_rest in share row exclusive mode
