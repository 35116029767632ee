-- What sums over the first ranks of a measurement of links took.
create table all_reduce (
    measurement_id uuid             not null references link_measurement (id) on delete cascade,
    algorithm      text             not null,
    ranks          integer          not null check (ranks >= 2),
    numbers        integer          not null check (numbers >= 1),
    seconds        double precision not null check (seconds > 0),
    primary key (measurement_id, algorithm, ranks, numbers)
);

-- Who shares what in a run whose ranks share hidden units, and what every formation was predicted to take.
alter table run add column hybrid jsonb;
