select id from ebb.job where cancel_requested
