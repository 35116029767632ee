-- People. A password is kept as Argon2 makes it; who has none signs in at an identity provider.
create table lab_user (
    id            uuid primary key,
    name          text        not null check (length(name) between 1 and 100),
    password      text,
    issuer        text,
    subject       text,
    administrator boolean     not null,
    disabled      boolean     not null,
    created_at    timestamptz not null,
    signed_in_at  timestamptz,
    version       bigint      not null,
    unique (issuer, subject),
    check ((issuer is null) = (subject is null)),
    check ((issuer is null) = (password is not null))
);
create unique index lab_user_by_name on lab_user (lower(name));

create table membership (
    project_id uuid        not null references project (id) on delete cascade,
    user_id    uuid        not null references lab_user (id) on delete cascade,
    role       text        not null check (role in ('VIEWER', 'EDITOR', 'OWNER')),
    since      timestamptz not null,
    primary key (project_id, user_id)
);
create index membership_by_user on membership (user_id);

alter table project add column quota jsonb not null default '{}';
alter table project add column version bigint not null default 0;
alter table project alter column quota drop default;
alter table project alter column version drop default;

-- A user's token does what its user may, but nothing beyond its role, and nothing outside its project where it has one.
-- One without a user stands for itself. A session is a token that a browser holds.
alter table access_token drop constraint access_token_kind_check;
alter table access_token add check (kind in ('USER', 'SESSION', 'JOIN', 'WORKER'));
alter table access_token drop constraint access_token_check1;
alter table access_token add check (kind in ('USER', 'SESSION') or project_id is null);
alter table access_token add column user_id uuid references lab_user (id) on delete cascade;
alter table access_token add column role text check (role in ('VIEWER', 'EDITOR', 'OWNER', 'ADMINISTRATOR'));
update access_token
set role = case when project_id is null then 'ADMINISTRATOR' else 'EDITOR' end
where kind = 'USER';
alter table access_token add check ((kind in ('USER', 'SESSION')) = (role is not null));
alter table access_token add check (kind <> 'SESSION' or user_id is not null);
create index access_token_by_user on access_token (user_id);

-- Who changed what. Nothing refers to it and it refers to nothing, so that it outlives what it tells of.
create table audit_entry (
    id           bigint generated always as identity primary key,
    at           timestamptz not null default clock_timestamp(),
    actor        text        not null,
    user_id      uuid,
    token_id     uuid,
    action       text        not null,
    subject_kind text        not null,
    subject      text        not null,
    project_id   uuid,
    detail       jsonb       not null
);
create index audit_entry_by_project on audit_entry (project_id, id desc);

create function refuse_change() returns trigger language plpgsql as
$$ begin raise exception 'the audit is appended to, never changed'; end $$;
create trigger audit_entry_stays before update or delete on audit_entry
    for each row execute function refuse_change();
create trigger audit_stays before truncate on audit_entry
    for each statement execute function refuse_change();
