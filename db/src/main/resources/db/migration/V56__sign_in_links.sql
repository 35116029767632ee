-- A session that a token began, and the code of a sign-in link, have that token as their parent and end with it. Such a
-- session has the rights of its parent; that of a service account token has no user. A code has no rights of its own.
alter table access_token add column parent_id uuid references access_token (id) on delete cascade;
create index access_token_by_parent on access_token (parent_id) where parent_id is not null;
alter table access_token drop constraint access_token_kind_check;
alter table access_token add constraint access_token_kind_check
    check (kind in ('USER', 'SESSION', 'CODE', 'JOIN', 'WORKER'));
alter table access_token drop constraint access_token_check4;
alter table access_token add constraint access_token_session_origin
    check (kind <> 'SESSION' or user_id is not null or parent_id is not null);
alter table access_token add constraint access_token_parent
    check (case kind when 'CODE' then parent_id is not null when 'SESSION' then true else parent_id is null end);
