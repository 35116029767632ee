create table worker (
    id              uuid primary key,
    name            text        not null check (length(name) between 1 and 100),
    state           text        not null,
    host            jsonb       not null,
    labels          jsonb       not null,
    cluster_address text        not null,
    sees            jsonb       not null,
    joined_at       timestamptz not null,
    last_seen_at    timestamptz not null,
    version         bigint      not null
);

create index worker_by_state on worker (state, joined_at);

create table profile (
    id           uuid primary key,
    worker_id    uuid        not null references worker (id) on delete cascade,
    state        text        not null,
    measurements jsonb       not null,
    points       jsonb       not null,
    failure      text,
    requested_at timestamptz not null,
    finished_at  timestamptz,
    version      bigint      not null
);

create index profile_by_worker on profile (worker_id, requested_at desc);

alter table access_token add foreign key (worker_id) references worker (id) on delete cascade;
