-- A run that lost its workers is placed anew: how often it was, how often in a row without getting further, how far
-- it has ever been (rounds since its beginning), why it was set back last, and when it is tried again.
alter table run add column setbacks integer not null default 0;
alter table run add column fruitless integer not null default 0;
alter table run add column furthest bigint not null default 0;
alter table run add column setback jsonb;
alter table run add column not_before timestamptz;
alter table run rename column preempted_at to interrupted_at;

-- A worker that failed is given nothing for a while, for longer each time in a row.
alter table worker add column failures integer not null default 0;
alter table worker add column cooling_until timestamptz;

-- How many ranks a run has now, of those that its definition asks for, and with what they go on: where it was
-- interrupted, and who has its state in memory. Until when those that stand still wait for the others.
alter table run add column ranks integer not null default 0;
update run set ranks = (select count(*) from replica where replica.run_id = run.id);
alter table run add column resumption jsonb;
alter table run add column regroup_by timestamptz;

-- Which of the definition's ranks a rank is; and what it has said, or what was said of it, since it stands still.
alter table replica add column place integer;
update replica set place = rank;
alter table replica alter column place set not null;
alter table replica add column standstill jsonb;

-- An epoch is whole when all ranks that there were have told it.
alter table epoch_result add column ranks integer;
update epoch_result set ranks = run.ranks from run where run.id = epoch_result.run_id;
alter table epoch_result alter column ranks set not null;

-- Who is parked has its run's state in memory, and is kept for it.
create index assignment_parked on assignment (worker_id) where state = 'PARKED';
