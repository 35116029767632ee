-- Time of a rank in one generation, by run phase; a later report replaces the one before. Runs that
-- ended before this version have no rows.
create table rank_time (
    run_id          uuid             not null references run (id) on delete cascade,
    generation      integer          not null,
    rank            integer          not null,
    elapsed_seconds double precision not null check (elapsed_seconds >= 0),
    phases          jsonb            not null,
    primary key (run_id, generation, rank)
);
