-- Functional shares were made from speed functions that had been measured over the whole range.
create function written_out(configuration jsonb) returns jsonb language sql immutable as $$
    select case
        when configuration #>> '{partitioning,kind}' = 'functional'
        then jsonb_set(configuration, '{partitioning,points}', '"full"')
        else configuration
    end
$$;

update run set configuration = written_out(configuration);
update experiment
set configurations = coalesce(
        (select jsonb_agg(written_out(each.value) order by each.position)
         from jsonb_array_elements(configurations) with ordinality as each (value, position)),
        '[]');

drop function written_out(jsonb);
