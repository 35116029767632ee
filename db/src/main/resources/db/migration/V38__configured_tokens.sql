-- Tokens that the settings of the service name: those for joining let in any number of workers.
alter table access_token
    add column configured boolean not null default false,
    add check (kind in ('USER', 'JOIN') or not configured);
