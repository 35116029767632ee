-- What an epoch's time and bytes were spent on, how its weights moved, and how each replica did by itself.
alter table epoch_result rename column bytes_sent to gradient_bytes;
alter table epoch_result
    add column encode_seconds    double precision not null default 0,
    add column apply_seconds     double precision not null default 0,
    add column hidden_seconds    double precision not null default 0,
    add column weight_bytes      bigint           not null default 0,
    add column control_bytes     bigint           not null default 0,
    add column frames            bigint           not null default 0,
    add column updates           jsonb            not null
        default '{"steps": 0, "learningRate": 0, "staleness": [], "greatestStaleness": 0}',
    add column own_accuracy      double precision,
    add column own_loss          double precision,
    add column absolute_distance double precision,
    add column relative_distance double precision;

-- What a run that is placed takes from measurements: the links between its ranks, or its worker's speed.
alter table run_links rename to run_measurements;
alter table run_measurements add column speeds jsonb not null default '[]';

-- Runs were real, and no rank was slowed down.
create function written_out(configuration jsonb) returns jsonb language sql immutable as $$
    select configuration
           || '{"execution": {"kind": "real"}, "trace": false}'
           || jsonb_build_object(
                   'heterogeneity', coalesce(configuration -> 'heterogeneity', '{}') || '{"slowDown": {}}',
                   'evaluation', coalesce(configuration -> 'evaluation', '{}') || '{"replicas": "last"}')
$$;

update run set configuration = written_out(configuration);
update experiment
set configurations = coalesce(
        (select jsonb_agg(written_out(each.value) order by each.position)
         from jsonb_array_elements(configurations) with ordinality as each (value, position)),
        '[]');

drop function written_out(jsonb);
