delete from ebb.history_rest where ended_at < now() - make_interval(days => ?)
