-- The runs of another lab one by one: a page of them is read, and not all that came in a bundle.
create table imported_run (
    experiment_id uuid    not null references imported_study (experiment_id) on delete cascade,
    number        integer not null check (number >= 1),
    run           jsonb   not null,
    primary key (experiment_id, number)
);

insert into imported_run (experiment_id, number, run)
select study.experiment_id, each.number, each.value
from imported_study as study
cross join lateral jsonb_array_elements(study.study -> 'runs') with ordinality as each (value, number);

update imported_study set study = jsonb_set(study, '{runs}', '[]');

-- What is kept of a run that has been over for long: counted once, when its fleeting events go. Null before.
alter table run_tally add column kept_bytes bigint;
create index run_tally_unsettled on run_tally (run_id) where kept_bytes is null;
