-- What functional shares left over went to the largest remainders; who was slowed down was so from the beginning.
create function written_out(configuration jsonb) returns jsonb language sql immutable as $$
    select jsonb_set(
            case
                when configuration #>> '{partitioning,kind}' = 'functional'
                then jsonb_set(configuration, '{partitioning,rounding}', '"largest-remainder"')
                else configuration
            end,
            '{heterogeneity,slowDownFrom}',
            '1')
$$;

update run set configuration = written_out(configuration);
update experiment
set configurations = coalesce(
        (select jsonb_agg(written_out(each.value) order by each.position)
         from jsonb_array_elements(configurations) with ordinality as each (value, position)),
        '[]');

drop function written_out(jsonb);
