-- Trained model of a run, a file in the store of checkpoints that is complete and on the disk. The row of a removed
-- model stays, so that readers learn why there is none.
create table run_model (
    run_id     uuid             not null primary key references run (id) on delete cascade,
    epoch      integer          not null check (epoch >= 1),
    generation integer          not null check (generation >= 1),
    rank       integer          not null check (rank >= 0),
    upload     uuid             not null, -- Part of the file name.
    accuracy   double precision not null check (accuracy between 0 and 1),
    loss       double precision not null check (loss >= 0),
    bytes      bigint           not null check (bytes > 0),
    digest     text             not null check (digest ~ '^[0-9a-f]{64}$'),
    kept_at    timestamptz      not null,
    removed_at timestamptz
);

-- Runs that begin with the model of another run, which must stay until they have ended.
create index run_by_initial on run ((configuration -> 'initial' ->> 'run')) where ended_at is null;
