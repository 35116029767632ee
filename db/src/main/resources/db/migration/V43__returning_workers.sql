-- Whether the worker of a credential has left: the credential then only serves to return.
alter table access_token
    add column departed boolean not null default false,
    add check (kind = 'WORKER' or not departed);

-- When an administrator removed the worker; its past runs keep its name.
alter table worker add column removed_at timestamptz;
