-- A checkpoint has a part of every rank, each a file, whole and on the disk. Those of a generation after an epoch
-- are a checkpoint once all its ranks have left theirs: then, and only then, there is a row of it.
create table checkpoint_part (
    run_id     uuid    not null references run (id) on delete cascade,
    epoch      integer not null check (epoch >= 1),
    generation integer not null check (generation >= 1),
    rank       integer not null check (rank >= 0),
    bytes      bigint  not null check (bytes > 0),
    primary key (run_id, epoch, generation, rank)
);

-- Checkpoints of before are one file, which no agent can read any more. Runs that wait and would go on from one
-- begin anew, and what they have told so far is forgotten, as it is told again. One that has workers finds none
-- when these are lost, and is set back to its beginning then.
delete from checkpoint;
alter table checkpoint add column ranks integer not null check (ranks >= 1);

create temporary table begins_anew on commit drop as
select id from run where state = 'QUEUED' and checkpoint_epoch is not null;
delete from epoch_result where run_id in (select id from begins_anew);
delete from trace_part where run_id in (select id from begins_anew);
delete from order_part where run_id in (select id from begins_anew);
delete from metric_part where run_id in (select id from begins_anew);
update run_tally set points = 0 where run_id in (select id from begins_anew);
update run set checkpoint_epoch = null, measured = null where id in (select id from begins_anew);
