create table experiment (
    id             uuid primary key,
    project_id     uuid        not null references project (id) on delete cascade,
    name           text        not null,
    revision       integer     not null,
    definition     jsonb       not null,
    configurations jsonb       not null,
    created_at     timestamptz not null,
    version        bigint      not null,
    unique (project_id, name, revision)
);

create table run (
    id              uuid primary key,
    project_id      uuid        not null references project (id) on delete cascade,
    experiment_id   uuid        not null references experiment (id) on delete cascade,
    experiment_name text        not null,
    position        integer     not null,
    state           text        not null,
    configuration   jsonb       not null,
    generation      integer     not null,
    rounds          integer     not null,
    waiting         jsonb,
    failure         jsonb,
    prediction      jsonb,
    queued_at       timestamptz not null,
    started_at      timestamptz,
    ended_at        timestamptz,
    version         bigint      not null
);

create index run_by_project on run (project_id, queued_at desc);
create index run_by_experiment on run (experiment_id, queued_at desc);
create index run_in_queue on run (queued_at, position) where state = 'QUEUED';

-- One rank of a run: who holds it, what it was given, how far it is.
create table replica (
    run_id              uuid    not null references run (id) on delete cascade,
    rank                integer not null check (rank >= 0),
    worker_id           uuid    not null references worker (id),
    worker_name         text    not null,
    share               integer not null check (share >= 0),
    predicted_step      double precision,
    all_reduce_seconds  double precision,
    initial_parameters  text,
    epoch               integer not null,
    round               integer not null,
    finished            boolean not null,
    primary key (run_id, rank)
);

create table epoch_result (
    run_id           uuid             not null references run (id) on delete cascade,
    rank             integer          not null,
    epoch            integer          not null check (epoch >= 1),
    samples          integer          not null,
    compute_seconds  double precision not null,
    transfer_seconds double precision not null,
    wait_seconds     double precision not null,
    wall_seconds     double precision not null,
    bytes_sent       bigint           not null,
    mean_loss        double precision not null,
    test_accuracy    double precision not null,
    parameters       text             not null,
    primary key (run_id, rank, epoch)
);
