-- Notes of runs, in Markdown: beside the runs, which reports of ranks read as a whole.
create table run_notes (
    run_id     uuid        not null primary key references run (id) on delete cascade,
    text       text        not null check (octet_length(text) between 1 and 65536),
    author     text        not null,
    written_at timestamptz not null
);

-- Notes of experiments. Each change counts: version and changes together are the ETag.
alter table experiment
    add column notes            text check (octet_length(notes) between 1 and 65536),
    add column notes_author     text,
    add column notes_written_at timestamptz,
    add column note_changes     integer not null default 0,
    add check ((notes is null) = (notes_author is null) and (notes is null) = (notes_written_at is null));

-- Addresses that get events of a project. The service signs with the secret, so it is stored as it is.
create table webhook (
    id              uuid        not null primary key,
    project_id      uuid        not null references project (id) on delete cascade,
    name            text        not null check (length(name) between 1 and 100),
    url             text        not null check (length(url) between 1 and 2000),
    secret          bytea       not null check (length(secret) between 24 and 64),
    events          text[]      not null check (cardinality(events) >= 1),
    enabled         boolean     not null,
    disabled_reason text,       -- Null if enabled, or if an owner has disabled it.
    failures        integer     not null default 0, -- Failed attempts since the last delivery.
    leased_until    timestamptz, -- One instance at a time delivers to a webhook.
    lease_number    bigint      not null default 0, -- Fencing token.
    created_at      timestamptz not null,
    version         bigint      not null,
    check (not enabled or disabled_reason is null)
);

create index webhook_by_project on webhook (project_id);

-- Outbox: events for webhooks, written in the transaction of the event.
create table webhook_delivery (
    id           uuid        not null primary key, -- The header webhook-id.
    webhook_id   uuid        not null references webhook (id) on delete cascade,
    type         text        not null,
    body         text        not null, -- JSON, exactly as it is sent and signed.
    state        text        not null check (state in ('PENDING', 'DELIVERED', 'FAILED', 'DROPPED')),
    created_at   timestamptz not null,
    due_at       timestamptz not null, -- Time of the next attempt, while pending.
    attempts     integer     not null default 0, -- Since the delivery was created or sent again.
    attempted_at timestamptz, -- Last attempt.
    status       integer,     -- HTTP status of the last attempt; null without an answer.
    error        text         -- Why the last attempt failed; null if it did not.
);

create index webhook_delivery_pending on webhook_delivery (webhook_id, due_at) where state = 'PENDING';
create index webhook_delivery_newest on webhook_delivery (webhook_id, created_at desc, id desc);
create index webhook_delivery_by_age on webhook_delivery (created_at);
