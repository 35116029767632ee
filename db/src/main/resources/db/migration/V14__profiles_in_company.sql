-- Workers of one machine are measured at the same time, in a session; until now each had one of its own.
alter table profile add column session uuid;
alter table profile add column rank integer;
alter table profile add column company integer;
alter table profile add column load integer;
alter table profile add column slow_down double precision;
update profile set session = id, rank = 0, company = 1, load = 100, slow_down = 1;
alter table profile alter column session set not null;
alter table profile alter column rank set not null;
alter table profile alter column company set not null;
alter table profile alter column load set not null;
alter table profile alter column slow_down set not null;
alter table profile add unique (session, rank);

-- With what the worker computed then, and the how manieth profile of the network it is.
alter table profile add column host jsonb;
alter table profile add column number integer;
update profile
set host = jsonb_set(worker.host, '{backend}', to_jsonb(profile.backend))
from worker
where worker.id = worker_id;
update profile
set number = counted.number
from (select id, row_number() over (partition by worker_id, network order by requested_at, id) as number from profile) as counted
where counted.id = profile.id;
alter table profile alter column host set not null;
alter table profile alter column number set not null;
alter table profile drop column backend;

-- Whether it was measured here, at what the service chose, for a share alone, or elsewhere.
alter table profile add column origin text not null default 'MEASURED';
alter table profile alter column origin drop default;

-- Sizes were always told one by one, and nobody looked for disturbances.
update profile
set measurements = (
        select coalesce(
                jsonb_agg(
                        jsonb_build_object(
                                'kernel',
                                each.value -> 'kernel',
                                'points',
                                jsonb_build_object('kind', 'fixed', 'sizes', each.value -> 'sizes'))
                        order by each.position),
                '[]')
        from jsonb_array_elements(measurements) with ordinality as each (value, position)),
    points = (
        select coalesce(
                jsonb_agg(
                        jsonb_set(each.value, '{point,disturbed}', 'false')
                        order by each.position),
                '[]')
        from jsonb_array_elements(points) with ordinality as each (value, position));
alter table profile add column precision jsonb not null
    default '{"minRepetitions": 5, "maxRepetitions": 100, "confidence": 0.95, "relativeError": 0.025, "secondsPerPoint": 4.0}';
alter table profile alter column precision drop default;

drop index profile_by_network;
create index profile_by_network on profile (worker_id, network, load, finished_at desc);

alter table assignment drop constraint assignment_check1;
update assignment set rank = 0 where rank is null;
alter table assignment alter column rank set not null;
