-- All that a definition may choose of data, optimizer and evaluation is written out in a run's
-- configuration, and a profile knows its network by the layers; until now there was one of each.
create function mnist_cnn() returns jsonb language sql immutable as $$
    select '{"name": "mnist-cnn",
             "input": {"kind": "image", "height": 28, "width": 28, "channels": 1},
             "layers": [
                 {"conv2d": {"filters": 20, "kernel": 5, "stride": 1, "padding": 0}},
                 {"relu": {}},
                 {"maxPool": {"size": 2, "stride": 2, "padding": 0, "rounding": "down"}},
                 {"conv2d": {"filters": 50, "kernel": 5, "stride": 1, "padding": 0}},
                 {"relu": {}},
                 {"maxPool": {"size": 2, "stride": 2, "padding": 0, "rounding": "down"}},
                 {"flatten": {}},
                 {"dense": {"units": 500}},
                 {"relu": {}},
                 {"dense": {"units": 10}}]}'::jsonb
$$;

create function written_out(configuration jsonb) returns jsonb language sql immutable as $$
    select configuration
           || '{"evaluation": {"every": 1}}'
           || jsonb_build_object(
                  'dataset', coalesce(configuration -> 'dataset', '{}')
                             || '{"normalisation": {"kind": "unit"}}')
           || case when configuration #> '{training,optimizer}' is null then '{}'
                   else jsonb_build_object('training', jsonb_set(
                            configuration -> 'training',
                            '{optimizer}',
                            configuration #> '{training,optimizer}'
                            || '{"momentum": 0, "nesterov": false,
                                 "schedule": {"kind": "constant", "warmUp": 0},
                                 "clipping": {"kind": "none"}}'))
              end
$$;

update run set configuration = written_out(configuration);
update experiment
set configurations = coalesce(
        (select jsonb_agg(written_out(each.value) order by each.position)
         from jsonb_array_elements(configurations) with ordinality as each (value, position)),
        '[]');

alter table profile add column architecture jsonb;
update profile set architecture = mnist_cnn();
alter table profile alter column architecture set not null;

alter table profile add column backend text not null default 'unknown';
alter table profile alter column backend drop default;

drop function written_out(jsonb);
drop function mnist_cnn();

-- What computes, which older agents have not said.
update worker set host = host || '{"backend": "unknown"}';

-- A test set is looked at in the epochs that a definition asks for; older ones told no loss.
alter table epoch_result add column test_loss double precision;
alter table epoch_result alter column test_accuracy drop not null;
