-- A run that makes room for another: for whom it is asked to, for whom it did last, and after which epoch it goes on.
alter table run add column preemptions integer not null default 0 check (preemptions >= 0);
alter table run alter column preemptions drop default;
alter table run add column checkpoint_epoch integer check (checkpoint_epoch >= 1);
alter table run add column preempt_for uuid;
alter table run add column preempted_by uuid;
alter table run add column preempted_at timestamptz;
create index run_asked_to_stop on run (id) where preempt_for is not null;

-- When the ranks that a run has now were all ready; so far that was when it started.
alter table run add column training_since timestamptz;
update run set training_since = started_at where state = 'RUNNING';

-- The epoch after which a rank has stopped.
alter table replica add column stopped_after integer check (stopped_after >= 1);

-- Checkpoints whose files are whole and on the disk.
create table checkpoint (
    run_id     uuid        not null references run (id) on delete cascade,
    epoch      integer     not null check (epoch >= 1),
    generation integer     not null check (generation >= 1),
    bytes      bigint      not null check (bytes > 0),
    kept_at    timestamptz not null,
    primary key (run_id, epoch)
);

-- Runs kept their workers to the end.
update run set configuration = configuration || '{"preemption": "never"}';
update experiment
set configurations = coalesce(
        (select jsonb_agg(each.value || '{"preemption": "never"}' order by each.position)
         from jsonb_array_elements(configurations) with ordinality as each (value, position)),
        '[]');
