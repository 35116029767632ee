-- Labels tell the runs of a version of an experiment apart. The service labels the runs of earlier versions when it
-- starts: null until then.
alter table run add column label text;
