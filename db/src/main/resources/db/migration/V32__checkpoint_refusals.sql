-- Why the last checkpoints of a run that was asked to make room could not be kept, and until when it is not asked.
alter table run add column refusal jsonb;
