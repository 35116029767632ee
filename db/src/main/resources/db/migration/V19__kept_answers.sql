-- Answers to requests with an Idempotency-Key, for a day. The body is sealed with what only the caller has.
create table kept_answer (
    owner           bytea       not null,
    idempotency_key text        not null check (length(idempotency_key) between 1 and 255),
    fingerprint     bytea       not null,
    made_at         timestamptz not null,
    status          integer,
    content_type    text,
    location        text,
    body            bytea,
    primary key (owner, idempotency_key)
);
create index kept_answer_age on kept_answer (made_at);
