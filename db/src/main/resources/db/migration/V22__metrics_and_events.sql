-- Curves of metrics: a row has up to some thousand points of one rank, packed. They are numbers that hardly
-- shrink, and read all at once: compressing them would cost more than it saves.
create table metric_part (
    id          bigint generated always as identity primary key,
    run_id      uuid             not null references run (id) on delete cascade,
    metric      text             not null,
    rank        integer          not null check (rank >= 0),
    generation  integer          not null,
    points      integer          not null check (points >= 1),
    every       bigint           not null,
    first_step  bigint           not null,
    last_step   bigint           not null,
    last_micros bigint           not null,
    least       double precision not null,
    greatest    double precision not null,
    packed      bytea            not null
);

alter table metric_part alter column packed set storage external;

create index metric_part_of_run on metric_part (run_id, metric, rank, id);

-- What happened to a run, in the words in which it is told. Ids grow: within a run, whoever writes holds it.
-- What is fleeting goes when there is too much of it.
create table run_event (
    id       bigint generated always as identity primary key,
    run_id   uuid        not null references run (id) on delete cascade,
    at       timestamptz not null,
    type     text        not null,
    fleeting boolean     not null,
    body     text        not null
);

create index run_event_of_run on run_event (run_id, id);
create index run_event_waiting on run_event (run_id, id) where type = 'waiting';

-- How much of a run has been told. Beside the run, which is a large row, and this one changes often.
create table run_tally (
    run_id          uuid   primary key references run (id) on delete cascade,
    points          bigint not null,
    dropped         bigint not null,
    fleeting_events bigint not null,
    forgotten_to    bigint not null,
    progress_at     timestamptz
);

insert into run_tally
select id, 0, 0, 0, 0, null from run;

-- Of earlier runs, where they stand.
insert into run_event (run_id, at, type, fleeting, body)
select id, coalesce(ended_at, started_at, queued_at), 'state', false,
       json_build_object('type', 'state', 'state', state)::text
from run
order by queued_at, position;
