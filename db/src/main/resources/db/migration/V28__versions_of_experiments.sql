-- An experiment may get another definition: what it was before stays, as runs came from it.
create table earlier_version (
    id             uuid primary key,
    experiment_id  uuid        not null references experiment (id) on delete cascade,
    revision       integer     not null,
    priority       integer     not null check (priority between -100 and 100),
    definition     jsonb       not null,
    configurations jsonb       not null,
    defined_at     timestamptz not null,
    unique (experiment_id, revision)
);

alter table experiment add column defined_at timestamptz;
update experiment set defined_at = created_at;
alter table experiment alter column defined_at set not null;

-- Which version a run came from; so far there was one of each experiment. None goes with its experiment unasked.
alter table run add column experiment_version integer;
update run set experiment_version = experiment.revision from experiment where experiment.id = run.experiment_id;
alter table run alter column experiment_version set not null;
alter table run drop constraint run_experiment_id_fkey;
alter table run add constraint run_experiment_id_fkey foreign key (experiment_id) references experiment (id);

-- The version that was made of the bundle.
alter table imported_study add column version integer;
update imported_study
set version = experiment.revision
from experiment where experiment.id = imported_study.experiment_id;
alter table imported_study alter column version set not null;
