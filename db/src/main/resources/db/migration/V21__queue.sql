-- Whether an administrator lets a worker be given work; nobody had said otherwise.
alter table worker add column cordon text not null default 'OPEN';
alter table worker alter column cordon drop default;
