-- Where the time of a traced run went: one row for each part that a rank told, in its order.
create table trace_part (
    id      bigint generated always as identity primary key,
    run_id  uuid    not null references run (id) on delete cascade,
    rank    integer not null,
    strand  text    not null,
    epoch   integer not null check (epoch >= 1),
    begun   bigint,
    slices  jsonb   not null,
    dropped bigint  not null
);

create index trace_part_of_run on trace_part (run_id, rank, strand, id);

-- What chance decided in a run that was recorded: one row for each part that a rank told, in its order.
create table order_part (
    id      bigint generated always as identity primary key,
    run_id  uuid    not null references run (id) on delete cascade,
    rank    integer not null,
    strand  text    not null,
    epoch   integer not null check (epoch >= 1),
    choices jsonb   not null
);

create index order_part_of_run on order_part (run_id, id);

-- Runs were not recorded.
update run set configuration = configuration || '{"record": false}';
update experiment
set configurations = coalesce(
        (select jsonb_agg(each.value || '{"record": false}' order by each.position)
         from jsonb_array_elements(configurations) with ordinality as each (value, position)),
        '[]');
