-- How much the agents of a run have noted; more than is kept is passed over.
alter table run_tally add column notes bigint not null default 0;
alter table run_tally alter column notes drop default;
