-- The join token with which a worker registered first; it may have been revoked since.
alter table worker add column join_token_id uuid;
create index worker_by_join_token on worker (join_token_id) where join_token_id is not null;

-- When the state or the cordon of a worker changed last.
alter table worker add column changed_at timestamptz;
update worker set changed_at = last_seen_at;
alter table worker alter column changed_at set default now();
alter table worker alter column changed_at set not null;

-- Load and used memory of the host of a worker, one sample a minute; older ones are thinned.
create table worker_sample (
    worker_id   uuid        not null references worker (id) on delete cascade,
    at          timestamptz not null,
    load        double precision,
    used_memory bigint,
    primary key (worker_id, at)
);

-- Each change of the state or the cordon of a worker, with what it was from then on.
create table worker_state_change (
    worker_id uuid        not null references worker (id) on delete cascade,
    at        timestamptz not null,
    state     text        not null,
    cordon    text        not null,
    primary key (worker_id, at)
);

insert into worker_state_change (worker_id, at, state, cordon)
select id, changed_at, state, cordon from worker;

-- Of several changes at one time, the last stays.
create function note_worker_state() returns trigger language plpgsql as $$
begin
    insert into worker_state_change (worker_id, at, state, cordon)
    values (new.id, new.changed_at, new.state, new.cordon)
    on conflict (worker_id, at) do update set state = excluded.state, cordon = excluded.cordon;
    return null;
end
$$;

create trigger worker_state_of_new after insert on worker
    for each row execute function note_worker_state();

create trigger worker_state_changed after update of state, cordon on worker
    for each row when ((old.state, old.cordon) is distinct from (new.state, new.cordon))
    execute function note_worker_state();
