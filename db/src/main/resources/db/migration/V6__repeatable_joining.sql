-- Whom a join token let in: that worker may ask again, should the answer have been lost.
alter table access_token
    add column admitted_worker_id uuid references worker (id) on delete set null,
    add check (kind = 'JOIN' or admitted_worker_id is null);
