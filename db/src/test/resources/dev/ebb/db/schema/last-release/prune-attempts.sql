delete from ebb.attempt_rest where ended_at < now() - make_interval(days => ?)
