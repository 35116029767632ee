-- What another lab measured, beside the experiment that was made of its bundle; the same bundle is there once in a project.
create table imported_study (
    experiment_id uuid primary key references experiment (id) on delete cascade,
    project_id    uuid        not null references project (id) on delete cascade,
    checksum      text        not null check (length(checksum) = 64),
    study         jsonb       not null,
    imported_at   timestamptz not null,
    unique (project_id, checksum)
);
