-- One worker's part in a run (with a rank) or in a profile. A worker has one open part at a time.
create table assignment (
    id            uuid primary key,
    worker_id     uuid        not null references worker (id),
    run_id        uuid references run (id) on delete cascade,
    rank          integer,
    profile_id    uuid references profile (id) on delete cascade,
    generation    integer     not null check (generation >= 1),
    state         text        not null,
    last_sequence bigint      not null,
    run_key       bytea,
    created_at    timestamptz not null,
    version       bigint      not null,
    check ((run_id is null) <> (profile_id is null)),
    check ((run_id is null) = (rank is null))
);

create unique index assignment_open_of_worker on assignment (worker_id) where state in ('OFFERED', 'LEASED');
create index assignment_by_run on assignment (run_id, generation);
