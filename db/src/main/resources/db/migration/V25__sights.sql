-- Which workers one sees. All of one cluster see the same, which is kept once; a heartbeat that tells nothing new
-- writes none of it.
create table sight (
    digest  text primary key,
    workers jsonb       not null,
    told_at timestamptz not null
);

-- By another digest than the service's, which replaces it with the next heartbeat.
insert into sight
select distinct encode(sha256(convert_to(sees::text, 'UTF8')), 'hex'), sees, now()
from worker;

alter table worker add column sight_digest text references sight (digest);
update worker set sight_digest = encode(sha256(convert_to(sees::text, 'UTF8')), 'hex');
alter table worker alter column sight_digest set not null;
alter table worker drop column sees;

create index worker_by_sight on worker (sight_digest);
