-- Who looks after a group of dead letters, in people's own words: a name, a team, a ticket.
alter table ebb.error_group add column assignee text;
