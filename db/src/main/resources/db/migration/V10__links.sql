-- What messages between two workers take. A measurement is of a set of workers, all pairs of which are
-- measured together; its rows stay, so that a link's figures are kept with their age.
create table link_measurement (
    id           uuid primary key,
    workers      text        not null,
    state        text        not null,
    ranks_finished integer   not null,
    failure      text,
    requested_at timestamptz not null,
    finished_at  timestamptz,
    version      bigint      not null
);

create index link_measurement_of_workers on link_measurement (workers, requested_at desc);
create index link_measurement_under_way on link_measurement (requested_at) where state in ('PENDING', 'MEASURING');

create table link (
    measurement_id        uuid             not null references link_measurement (id) on delete cascade,
    low_worker            uuid             not null references worker (id) on delete cascade,
    high_worker           uuid             not null references worker (id) on delete cascade,
    alpha_seconds         double precision not null check (alpha_seconds >= 0),
    beta_seconds_per_byte double precision not null check (beta_seconds_per_byte >= 0),
    relative_error        double precision not null check (relative_error >= 0),
    measured_at           timestamptz      not null,
    primary key (measurement_id, low_worker, high_worker)
);

create index link_of_high_worker on link (high_worker);
create index link_by_workers on link (low_worker, high_worker, measured_at desc);

alter table assignment add column link_measurement_id uuid references link_measurement (id) on delete cascade;
create index assignment_of_links on assignment (link_measurement_id) where link_measurement_id is not null;
alter table assignment drop constraint assignment_check;
alter table assignment drop constraint assignment_check1;
alter table assignment add check (num_nonnulls(run_id, profile_id, link_measurement_id) = 1);
alter table assignment add check ((profile_id is null) = (rank is not null));

-- What the links between a run's ranks cost when it was placed, where its topology follows them.
create table run_links (
    run_id uuid primary key references run (id) on delete cascade,
    links  jsonb not null
);

-- Rings went from rank to rank, and no link was held back.
create function written_out(configuration jsonb) returns jsonb language sql immutable as $$
    select configuration
           || '{"heterogeneity": {"links": []}}'
           || jsonb_build_object('topology', coalesce(configuration -> 'topology', '{}') || '{"order": "by-rank"}')
$$;

update run set configuration = written_out(configuration);
update experiment
set configurations = coalesce(
        (select jsonb_agg(written_out(each.value) order by each.position)
         from jsonb_array_elements(configurations) with ordinality as each (value, position)),
        '[]');

drop function written_out(jsonb);
