-- Whether an administrator lets a worker be given work; nobody had said otherwise.
alter table worker add column cordon text not null default 'OPEN';
alter table worker alter column cordon drop default;

-- Which runs of a project go first; so far the oldest did.
alter table experiment add column priority integer not null default 0 check (priority between -100 and 100);
alter table experiment alter column priority drop default;
alter table run add column priority integer not null default 0 check (priority between -100 and 100);
alter table run alter column priority drop default;

-- When a run got its workers, and for how long each was there for it.
alter table run add column placed_at timestamptz;
alter table assignment add column ended_at timestamptz;

-- What a generation of a run has used: one row, so that it is charged once. A run that is removed has used it
-- all the same.
create table usage_charge (
    run_id         uuid             not null,
    generation     integer          not null check (generation >= 1),
    project_id     uuid             not null references project (id) on delete cascade,
    worker_seconds double precision not null check (worker_seconds >= 0),
    charged_at     timestamptz      not null,
    primary key (run_id, generation)
);
create index usage_charge_of_project on usage_charge (project_id, charged_at);

-- The same by project, of which the half is forgotten in every half-life.
create table project_usage (
    project_id     uuid primary key references project (id) on delete cascade,
    worker_seconds double precision not null check (worker_seconds >= 0),
    as_of          timestamptz      not null
);

-- What tells runs apart that take different times; of earlier ones nobody knows.
alter table run add column likeness text;
create index run_by_likeness on run (likeness, ended_at desc) where state = 'COMPLETED';

-- Where runs stand in the queue, as it was told last. Beside the runs, which are wide: whoever is placed moves all
-- behind it.
create table queue_place (
    run_id          uuid primary key references run (id) on delete cascade,
    place           integer not null check (place >= 1),
    predicted_start timestamptz
);

-- Which instance of the service goes over the queue, and for how long at most.
create table queue_turn (
    single boolean primary key check (single),
    holder uuid,
    until  timestamptz not null
);
insert into queue_turn values (true, null, now());

-- What a worker did last.
create index assignment_of_worker on assignment (worker_id, created_at desc);
