select (extract(epoch from min(expires_at) - clock_timestamp()) * 1000000)::bigint
from ebb.lease
