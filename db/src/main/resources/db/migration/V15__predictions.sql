-- What was predicted of each rank's epochs, in seconds, and when the run is over, what they took in the median.
create table rank_prediction (
    run_id                    uuid             not null references run (id) on delete cascade,
    rank                      integer          not null,
    compute_seconds           double precision not null,
    transfer_seconds          double precision not null,
    wait_seconds              double precision not null,
    measured_compute_seconds  double precision,
    measured_transfer_seconds double precision,
    measured_wait_seconds     double precision,
    primary key (run_id, rank)
);

-- How far the predictions of completed runs were off, in seconds an epoch: what later ones are corrected by.
create table prediction_error (
    run_id            uuid primary key references run (id) on delete cascade,
    project_id        uuid             not null references project (id) on delete cascade,
    execution         text             not null,
    synchronization   text             not null,
    topology          text             not null,
    compression       text             not null,
    channel           text             not null,
    network           text             not null,
    model_seconds     double precision not null check (model_seconds > 0),
    predicted_seconds double precision not null check (predicted_seconds > 0),
    measured_seconds  double precision not null check (measured_seconds > 0),
    completed_at      timestamptz      not null
);

create index prediction_error_by_age on prediction_error (completed_at desc);

-- Predictions were the model's own, and told neither their uncertainty nor bytes.
update run
set prediction = prediction || jsonb_build_object('modelSeconds', prediction -> 'epochSeconds', 'doubts', '[]'::jsonb)
where prediction is not null;
