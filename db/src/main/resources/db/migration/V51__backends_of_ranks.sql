-- Numeric library of the worker, as it was when the rank was placed; null in runs of earlier versions.
alter table replica add column backend text;
