-- What functional shares left over went to the largest remainders.
create function with_rounding(configuration jsonb) returns jsonb language sql immutable as $$
    select case
        when configuration #>> '{partitioning,kind}' = 'functional'
        then jsonb_set(configuration, '{partitioning,rounding}', '"largest-remainder"')
        else configuration
    end
$$;

update run set configuration = with_rounding(configuration);
update experiment
set configurations = coalesce(
        (select jsonb_agg(with_rounding(each.value) order by each.position)
         from jsonb_array_elements(configurations) with ordinality as each (value, position)),
        '[]');

drop function with_rounding(jsonb);
