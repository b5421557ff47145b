select queue from ebb.job where id = ?
