-- Projects own experiments and runs; tokens say who asks.

create table project (
    id         uuid primary key,
    name       text        not null unique check (length(name) between 1 and 100),
    created_at timestamptz not null
);

-- Only the SHA-256 of a token is kept. What a token opens follows from its kind:
--   USER   the lab (no project) or one project
--   JOIN   one registration of a worker, until it expires
--   WORKER the assignments of one worker
create table access_token (
    id         uuid primary key,
    kind       text        not null check (kind in ('USER', 'JOIN', 'WORKER')),
    name       text        not null check (length(name) between 1 and 100),
    hash       bytea       not null unique check (length(hash) = 32),
    project_id uuid references project (id) on delete cascade,
    worker_id  uuid,
    created_at timestamptz not null,
    expires_at timestamptz,
    used_at    timestamptz,
    version    bigint      not null,
    check ((kind = 'WORKER') = (worker_id is not null)),
    check (kind = 'USER' or project_id is null)
);
