insert into ebb.queue (name)
select name from unnest(?::text[]) as t (name) order by name
on conflict do nothing
