#!/usr/bin/env python3
"""Client of Equipoise's HTTP API, in one file that needs only the standard library.

    client = Client.from_environment()            # $EQUIPOISE_URL, $EQUIPOISE_TOKEN, $EQUIPOISE_CA
    runs = client.submit(Path("experiment.yaml")).wait()
    comparison = client.compare(runs, target=0.9)
    comparison.plot()
    frame = comparison.to_pandas()

A response without a type of its own in this file is returned as the service's JSON: dicts and lists
with the names of the API. Needs Python 3.11 or newer. Several threads may use a client; programs
with asyncio use `AsyncClient`.
"""

from __future__ import annotations

import argparse
import array
import asyncio
import base64
import collections
import concurrent.futures
import copy
import datetime
import email.message
import enum
import functools
import hashlib
import html
import http.client
import importlib
import itertools
import json
import math
import os
import re
import shutil
import ssl
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Concatenate, ParamSpec, SupportsIndex, TextIO, TypeVar, overload

__version__ = "0.1.0.dev0"

__all__ = [
    "ApiError",
    "AsyncClient",
    "Chart",
    "Client",
    "Comparison",
    "EquipoiseError",
    "NoAnswer",
    "Progress",
    "Project",
    "Run",
    "RunFailed",
    "Runs",
    "Tensor",
    "Violation",
    "WaitTimedOut",
    "WrongInput",
    "group_rows",
    "override",
    "rows",
]

Json = dict[str, Any]
_Read = TypeVar("_Read")
_Arguments = ParamSpec("_Arguments")
Say = Callable[[str], object]

_API = "/api/v1/"
_DEFAULT_PROJECT = "run"
_EVENTS = "text/event-stream"
_MAX_PAGE = 500
_MAX_BATCH = 1000
_SLICE = 1 << 20
_BYTES_OF_A_FLOAT = 4
_BYTES_OF_A_LENGTH = 8
_DIGEST = re.compile(r"sha-256=:([A-Za-z0-9+/]{43}=):")
_TRANSIENT_STATUSES = frozenset({502, 503, 504})
_RATE_LIMITED = "rate-limited"
_NOT_FOUND = "not-found"
_WITHOUT_EFFECT = frozenset({"experiments/validate", "plans"})
_ASYNCHRONOUS_REQUESTS = 16
_FINAL_STATES = frozenset({"COMPLETED", "FAILED", "CANCELLED"})
_INPUT_ERRORS = frozenset({"invalid-definition", "malformed-body", "invalid-request"})
# A segment of dots alone would lead elsewhere.
_PATH = re.compile(r"(/(?!\.+(/|$))[A-Za-z0-9._~-]+)*/?")
# Codes of OpenSSL for a certificate of the right authority: its time is over or has not come, or it
# is for another host or IP address.
_CERTIFIED_OTHERWISE = frozenset({9, 10, 62, 64})

# Seconds.
_SHORTEST_PAUSE = 0.5
_LONGEST_PAUSE = 16.0
_LONGEST_POLL_PAUSE = 5.0
_WAITING_RETRY_SECONDS = 300.0


class EquipoiseError(Exception):
    """Base class of the errors that this client raises."""


class WrongInput(EquipoiseError, ValueError):
    """An argument breaks a rule of the client; nothing was sent."""


class NoAnswer(EquipoiseError):
    """The service did not answer, or the response is not one of the service."""


@dataclass(frozen=True)
class Violation:
    """A broken rule with its place: a JSON pointer, or ?name of a query parameter."""

    pointer: str
    rule: str
    value: Any = None

    def __str__(self) -> str:
        was = (
            "" if self.value is None else f", but was {json.dumps(self.value, ensure_ascii=False)}"
        )
        return f"{self.pointer} {self.rule}{was}".strip()


class ApiError(EquipoiseError):
    """The service rejected a request (application/problem+json).

    status is the HTTP status, code the service's error code ("" if a proxy rejected the request),
    detail the message, and violations are the broken rules with their places. retry_after is the
    number of seconds after which the service accepts the request again; None if it does not say.
    """

    def __init__(
        self,
        request: str,
        status: int,
        code: str,
        detail: str,
        violations: Sequence[Violation] = (),
        retry_after: float | None = None,
    ) -> None:
        self.request = request
        self.status = status
        self.code = code
        self.detail = detail
        self.violations = tuple(violations)
        self.retry_after = retry_after
        super().__init__(request, status, code, detail, self.violations, retry_after)

    def __str__(self) -> str:
        reasons = "; ".join(str(violation) for violation in self.violations)
        sentence = f"{self.request} was rejected: {self.status} {self.code}".rstrip()
        # With violations, the detail only counts or repeats them.
        return ": ".join(part for part in (sentence, reasons or self.detail) if part)


class RunFailed(EquipoiseError):
    """Runs failed or were canceled.

    failed has these runs, runs has all runs that were waited for. code and message are those of the
    first failed run; the code of a canceled run is "cancelled".
    """

    def __init__(self, failed: Sequence[Run], runs: Sequence[Run]) -> None:
        self.failed = tuple(failed)
        self.runs = tuple(runs)
        self.code, self.message = failed[0].failure or ("cancelled", "the run was canceled")
        super().__init__(self.failed, self.runs)

    def __str__(self) -> str:
        ends = "; ".join(f"run {run.id}: {_end(run)}" for run in self.failed)
        return f"{len(self.failed)} of {len(self.runs)} runs did not complete: {ends}"


class WaitTimedOut(EquipoiseError, TimeoutError):
    """Runs did not end in time and continue at the service. open has these runs."""

    def __init__(self, seconds: float, open_runs: Sequence[Run]) -> None:
        self.seconds = seconds
        self.open = tuple(open_runs)
        super().__init__(seconds, self.open)

    def __str__(self) -> str:
        names = ", ".join(f"{run.id} ({run.state})" for run in self.open)
        return f"{len(self.open)} runs did not end within {self.seconds:g} s and continue: {names}"


@dataclass(frozen=True)
class Progress:
    """The progress of a run; fraction is that of all its epochs, from 0 to 1."""

    epoch: int
    epochs: int
    round: int
    rounds: int
    fraction: float


@dataclass(frozen=True)
class Tensor:
    """A tensor of a trained model, where NumPy is not installed: floats in row-major order."""

    shape: tuple[int, ...]
    values: array.array[float] = field(repr=False)


class _Unchanged(enum.Enum):
    """Default of an argument that may be None."""

    UNCHANGED = enum.auto()


_UNCHANGED = _Unchanged.UNCHANGED


class _Resource:
    """A resource of the service that remembers its client, until it is pickled."""

    id: str
    _reader: ClassVar[Client | None] = None

    def _remember(self, client: Client | None) -> None:
        # No field, which would be copied with the others.
        self.__dict__["_reader"] = client

    def _client(self) -> Client:
        if self._reader is None:
            kind = type(self).__name__.lower()
            raise WrongInput(f"{kind} {self.id} has no client: use client.{kind}(id)")
        return self._reader

    def __getstate__(self) -> Json:
        return {name: value for name, value in self.__dict__.items() if name != "_reader"}


@dataclass(frozen=True)
class Run(_Resource):
    """A run as the service described it at one moment.

    epochs and times are None in the short form of lists and submissions; `Client.run` returns them.
    times has elapsedSeconds, the time from the start of the run on the agents to its end, and
    phases, whose values sum to it; None if the agents have not reported it. answer is the whole
    response. A run that was pickled has forgotten its client.
    """

    id: str
    experiment: str
    name: str
    position: int
    seed: int
    state: str
    progress: Progress
    waiting: str | None
    failure: tuple[str, str] | None
    epoch_seconds: float | None
    predicted_epoch_seconds: float | None
    test_accuracy: float | None
    epochs: list[Json] | None = field(default=None, repr=False, compare=False)
    times: Json | None = field(default=None, repr=False, compare=False)
    answer: Json = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, answer: Json, client: Client | None = None) -> Run:
        """Reads a run in short or full form."""
        progress = answer["progress"]
        failure = answer.get("failure")
        configuration = answer.get("configuration") or {}
        run = cls(
            id=answer["id"],
            experiment=answer["experiment"],
            name=answer["experimentName"],
            position=answer["position"],
            seed=answer["seed"] if "seed" in answer else configuration["seed"],
            state=answer["state"],
            progress=Progress(
                progress["epoch"],
                progress["epochs"],
                progress["round"],
                progress["rounds"],
                progress["fraction"],
            ),
            waiting=(answer.get("waiting") or {}).get("message"),
            failure=(failure["code"], failure["message"]) if failure else None,
            epoch_seconds=answer.get("epochSeconds"),
            predicted_epoch_seconds=(answer.get("prediction") or {}).get("epochSeconds"),
            test_accuracy=answer.get("testAccuracy"),
            epochs=answer.get("epochs"),
            times=answer.get("times"),
            answer=answer,
        )
        run._remember(client)
        return run

    def wait(self, progress: bool | Say = True, timeout: float | None = None) -> Run:
        """Waits until the run has ended, as `Client.wait` does, and returns it in full form."""
        return self._client().wait(self, progress, timeout)[0]

    def change(
        self,
        *,
        notes: str | None | _Unchanged = _UNCHANGED,
        tags: Iterable[str] | None | _Unchanged = _UNCHANGED,
        priority: int | None | _Unchanged = _UNCHANGED,
    ) -> Run:
        """Changes the notes, tags or priority, as `Client.change_run` does."""
        return self._client().change_run(self, notes=notes, tags=tags, priority=priority)

    def to_pandas(self) -> Any:
        """Returns a pandas.DataFrame with a row for each epoch and rank, as `rows` has them."""
        return _frame(rows(self))

    def plot(self, y: str = "testAccuracy", ax: Any = None) -> Any:
        """Plots a figure of the epochs, as `Runs.plot` does."""
        return Runs([self]).plot(y, ax)

    def model(self, torch: bool = False) -> dict[str, Any]:
        """Returns the trained model, as `Client.model` does."""
        return self._client().model(self, torch)

    def download_model(self, path: str | os.PathLike[str]) -> Path:
        """Writes the trained model to a file, as `Client.download_model` does."""
        return self._client().download_model(self, path)

    def _repr_html_(self) -> str:
        return Runs([self])._repr_html_()

    @property
    def notes(self) -> str | None:
        """Notes in Markdown; None without notes, and in the short form of lists."""
        return (self.answer.get("notes") or {}).get("text")

    @property
    def is_over(self) -> bool:
        """Whether the run is completed, failed or canceled."""
        return self.state in _FINAL_STATES

    @property
    def is_completed(self) -> bool:
        """Whether the run is completed."""
        return self.state == "COMPLETED"


Definition = Mapping[str, Any] | str | os.PathLike[str]
SomeRun = Run | str


class Runs(list[Run]):
    """A list of runs, shown as a table."""

    def __repr__(self) -> str:
        return _text_table(_cells(_RUN_COLUMNS, map(_shown_row, self)))

    @overload
    def __getitem__(self, index: SupportsIndex) -> Run: ...

    @overload
    def __getitem__(self, index: slice) -> Runs: ...

    def __getitem__(self, index: SupportsIndex | slice) -> Run | Runs:
        if isinstance(index, slice):
            return Runs(super().__getitem__(index))
        return super().__getitem__(index)

    def wait(
        self, progress: bool | Say = True, timeout: float | None = None, check: bool = True
    ) -> Runs:
        """Waits until all runs have ended, as `Client.wait` does."""
        several = _several(self)
        return self[0]._client().wait(several, progress, timeout, check)

    def to_pandas(self, epochs: bool = False) -> Any:
        """Returns a pandas.DataFrame with a row for each run.

        With epochs it has a row for each epoch and rank, as `rows` has them; this needs runs in
        full form.
        """
        return _frame(rows(self) if epochs else [_run_row(run) for run in self])

    def plot(self, y: str = "testAccuracy", ax: Any = None) -> Any:
        """Plots a figure of the epochs: testAccuracy, testLoss or trainingLoss.

        Draws into Matplotlib's axes ax or into new ones, and returns them. Returns a `Chart` if
        Matplotlib is not installed. Needs runs in full form.
        """
        _require_one_of("y", y, _RUN_FIGURES)
        points = [
            _Line(_title(run), number, [(it["epoch"], it[_RUN_FIGURES[y]]) for it in _epochs(run)])
            for number, run in enumerate(self)
        ]
        return _plotted("epoch", y, points, ax)

    def _repr_html_(self) -> str:
        return _html_table(_cells(_RUN_COLUMNS, map(_shown_row, self)))


class Comparison(dict[str, Any]):
    """A comparison of runs with the first one: the service's JSON, shown as tables."""

    def __repr__(self) -> str:
        if "baseline" not in self:
            return super().__repr__()
        return "\n\n".join(_text_table(table) for table in _comparison_tables(self))

    def to_pandas(self, groups: bool = False) -> Any:
        """Returns a pandas.DataFrame with a row for each run, or for each seed group.

        The columns are those of `rows`, or of `group_rows`.
        """
        return _frame(group_rows(self) if groups else rows(self))

    def plot(self, y: str = "testAccuracy", x: str = "epoch", ax: Any = None) -> Any:
        """Plots a figure of the runs; runs of a seed group have one color.

        y is testAccuracy, replicaAccuracy, testLoss or trainingLoss; x is epoch, seconds (of
        training), wallClock (seconds with evaluations, checkpoints and restarts) or bytes, each
        since the start of the training. Draws as `Runs.plot` does.
        """
        _require_one_of("y", y, _CURVE_FIGURES)
        _require_one_of("x", x, _CURVE_AXES)
        field, title = _CURVE_AXES[x]
        lines = [
            _Line(
                run["name"],
                run["group"],
                [(point[field], point[y]) for point in run["curve"]],
            )
            for run in self["runs"]
        ]
        return _plotted(title, y, lines, ax)

    def _repr_html_(self) -> str:
        return "".join(_html_table(table) for table in _comparison_tables(self))


@dataclass(frozen=True)
class Project(_Resource):
    """A project; role is that of the caller in it, and answer the whole response."""

    id: str
    name: str
    role: str
    answer: Json = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, answer: Json, client: Client | None = None) -> Project:
        """Reads a project."""
        project = cls(answer["id"], answer["name"], answer["role"], answer)
        project._remember(client)
        return project

    def delete(self, everything: bool = False) -> None:
        """Deletes the project, as `Client.delete_project` does."""
        self._client().delete_project(self, everything)


SomeProject = Project | str


@dataclass(frozen=True)
class Chart:
    """A line chart as SVG, where Matplotlib is not installed; notebooks show it."""

    svg: str = field(repr=False)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the chart to an SVG file, and returns its path."""
        target = Path(path)
        target.write_text(self.svg, encoding="utf-8")
        return target

    def _repr_svg_(self) -> str:
        return self.svg


class Client:
    """Client of one service, with the token of one caller.

    Requests are retried with exponential backoff for `patience` seconds if the service cannot be
    reached, limits the rate, or a proxy answers 502, 503 or 504. A repeated POST has the same
    Idempotency-Key, so that the service executes it once; a repeated PUT or PATCH sets the same
    values again. `timeout` is in seconds and applies to each wait on the network, not to a whole
    response. A response of more than `max_bytes` bytes is an error. Redirects are not followed,
    because they would carry the token elsewhere. Several threads may use a client, which keeps no
    state between requests.

    `ca` names a PEM file with certificate authorities, which alone may then certify an https
    service. It is read once.
    """

    _abandoned: threading.Event | None = None

    def __init__(
        self,
        url: str,
        token: str,
        *,
        ca: str | os.PathLike[str] | None = None,
        timeout: float = 30.0,
        patience: float = 15.0,
        max_bytes: int = 64 * 1024 * 1024,
        sleep: Callable[[float], object] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._base = _base(url)
        self._token = _checked_token(token)
        self._timeout = timeout
        self._patience = patience
        self._max_bytes = max_bytes
        self._sleep = sleep
        self._clock = clock
        self._opener = urllib.request.build_opener(
            _NoRedirect, urllib.request.HTTPSHandler(context=_trust(self._base, ca))
        )

    @classmethod
    def from_environment(cls, **settings: Any) -> Client:
        """Creates a client of the service at $EQUIPOISE_URL, with $EQUIPOISE_TOKEN.

        $EQUIPOISE_CA is the default of `ca` for an https service.
        """
        values = {name: os.environ.get(name, "") for name in ("EQUIPOISE_URL", "EQUIPOISE_TOKEN")}
        for name, value in values.items():
            if not value.strip():
                raise WrongInput(f"the environment variable {name} is not set")
        url = values["EQUIPOISE_URL"].strip()
        settings.setdefault("ca", _ca_of_environment(url))
        return cls(url, values["EQUIPOISE_TOKEN"].strip(), **settings)

    def __repr__(self) -> str:
        return f"Client({self._base!r})"

    def __getstate__(self) -> object:
        raise TypeError("a client holds a token and must not be pickled")

    # Experiments and runs

    def validate(self, definition: Definition) -> list[Json]:
        """Returns the run configurations to which a definition expands; stores nothing.

        A definition is a dict, YAML or JSON as text, or a Path to such a file; a str is never taken
        for the name of a file.
        """
        resolved = self._post("experiments/validate", _document(definition))
        configurations: list[Json] = resolved["configurations"]
        return configurations

    def schema(self) -> Json:
        """Returns the JSON Schema of definitions, which editors check files against."""
        path = "schema/definition"
        headers = {"Accept": "application/schema+json, application/json, application/problem+json"}
        answer = self._retried(lambda: self._send("GET", path, None, headers=headers))
        return _parsed("GET", path, answer)

    def submit(self, definition: Definition, project: SomeProject | None = None) -> Runs:
        """Checks a definition, stores it as an experiment and submits all its runs.

        Stores nothing if the definition breaks a rule. A project is named by its id or its name,
        and is created if there is none of that name. Without a project it is that of the token, or
        else the one named "run".
        """
        document = _document(definition)
        self._post("experiments/validate", document)
        experiment = self._post(f"projects/{self._project(project)}/experiments", document)
        submitted = self._post(f"experiments/{experiment['id']}/runs", None)
        return Runs(Run.of(item, self) for item in submitted["items"])

    def experiment(self, experiment: str, version: int | None = None) -> Json:
        """Returns an experiment with its definition and configurations, by default the newest."""
        query = "" if version is None else f"?version={version:d}"
        return self._get(f"experiments/{_experiment(experiment)}{query}")

    def redefine(
        self, experiment: str, definition: Definition, seen: Mapping[str, Any] | None = None
    ) -> Json:
        """Stores another definition of the same name as the next version of an experiment.

        Its runs do not change. If seen, the experiment on which the change is based, is given and
        has changed since it was read, raises ApiError with the code precondition-failed (412).
        """
        path = f"experiments/{_experiment(experiment)}"
        revision = None if seen is None else f'"{seen["revision"]:d}"'
        return self._put(path, _document(definition), revision)

    def change_experiment(self, experiment: str, *, notes: str | None) -> Json:
        """Sets the notes of an experiment, in Markdown; None removes them.

        In the returned experiment, "notes" has the "text" with its author and time.
        """
        return self._patch(f"experiments/{_experiment(experiment)}", {"notes": notes})

    def remove_experiment(self, experiment: str) -> None:
        """Deletes an experiment with all its versions.

        Raises ApiError with the code has-runs (409) if it has runs, which must be deleted first.
        """
        path = f"experiments/{_experiment(experiment)}"
        self._delete(path)

    def run(self, run: SomeRun) -> Run:
        """Returns the current state of a run, with all its epochs so far."""
        return Run.of(self._get(f"runs/{_id(run)}"), self)

    def runs(
        self,
        experiment: str | None = None,
        project: SomeProject | None = None,
        states: Iterable[str] = (),
        limit: int = 100,
        name: str | None = None,
        sort: str | None = None,
        filter: str | None = None,
    ) -> Runs:
        """Returns runs in short form, the newest first, or sorted ("-testAccuracy": the best
        first).

        Filters by the id of an experiment, by a project, by states, by a part of the experiment's
        name, or by conditions on figures and fields of the configuration, such as "accuracy > 0.9
        and synchronization = async"; reads as many pages as ``limit`` runs need.
        """
        of_project = None if project is None else self._known_project(project)
        query = [("experiment", experiment), ("project", of_project), ("name", name)]
        query += [("sort", sort), ("filter", filter)]
        chosen = [(key, value) for key, value in query if value is not None]
        chosen += [("state", state) for state in states]
        listed = itertools.islice(self._listed("runs", chosen, limit), limit)
        return Runs(Run.of(item, self) for item in listed)

    def change_run(
        self,
        run: SomeRun,
        *,
        notes: str | None | _Unchanged = _UNCHANGED,
        tags: Iterable[str] | None | _Unchanged = _UNCHANGED,
        priority: int | None | _Unchanged = _UNCHANGED,
    ) -> Run:
        """Changes the notes (Markdown), tags or priority of a run, and returns it in full form.

        None removes notes and tags, and sets the priority to its default; an argument that is left
        out changes nothing. Only a queued run can change its priority.
        """
        if tags is not None and not isinstance(tags, _Unchanged):
            tags = _names(tags)
        given = {"notes": notes, "tags": tags, "priority": priority}
        changes = {name: value for name, value in given.items() if value is not _UNCHANGED}
        if not changes:
            raise WrongInput("give at least one of notes, tags and priority")
        return Run.of(self._patch(f"runs/{_id(run)}", changes), self)

    def rerun(self, run: SomeRun) -> Run:
        """Queues the configuration of a run once more, and returns the new run."""
        return Run.of(self._post(f"runs/{_id(run)}/rerun", None)["items"][0], self)

    def delete(self, run: SomeRun) -> None:
        """Deletes an ended run with all its figures and its model.

        Raises ApiError with the code illegal-state (409) if it has not ended.
        """
        self._delete(f"runs/{_id(run)}")

    def cancel(self, run: SomeRun) -> Run:
        """Cancels a run; raises ApiError with the code illegal-state if it has already ended."""
        return Run.of(self._post(f"runs/{_id(run)}/cancel", None), self)

    def cancel_runs(
        self,
        runs: Iterable[SomeRun] | None = None,
        *,
        filter: str | None = None,
        expected: int | None = None,
    ) -> list[Json]:
        """Cancels several runs: the given ones, or those that fulfill a filter.

        With a filter, expected is their number as the caller has seen them, at most 1000; if it is
        another one, cancels none and raises ApiError with the code precondition-failed (412).
        Returns an item for each run: "id", "done", and if it was rejected "code" and "detail".
        """
        return self._batch("runs/cancel", runs, filter, expected)

    def delete_runs(
        self,
        runs: Iterable[SomeRun] | None = None,
        *,
        filter: str | None = None,
        expected: int | None = None,
    ) -> list[Json]:
        """Deletes several ended runs with all their figures and models, as `cancel_runs` does."""
        return self._batch("runs/delete", runs, filter, expected)

    def run_fields(self) -> list[Json]:
        """Returns the fields by which `runs` filters and sorts, with their types and aliases."""
        items: list[Json] = self._get("runs/fields")["items"]
        return items

    def wait(
        self,
        runs: SomeRun | Iterable[SomeRun],
        progress: bool | Say | None = True,
        timeout: float | None = None,
        check: bool = True,
    ) -> Runs:
        """Waits until all runs have ended, and returns them in full form, in the order given.

        progress True shows a bar in a notebook or on a terminal (standard error), and nothing
        elsewhere. A function such as print gets a line whenever the state or the epoch of a run
        changes, and every tenth of a run. Retries for 300 s if the service does not answer. Raises
        WaitTimedOut after timeout seconds. Unless check is False, raises RunFailed if a run is not
        completed, once all have ended. Never cancels a run, not even when it is interrupted.
        """
        waiting = _Waiting([_id(run) for run in _several(runs)], progress, timeout)
        with waiting.progress:
            while (pause := waiting.step(self)) is not None:
                self._rest(pause)
            return waiting.finish(self, check)

    def stream(
        self,
        run: SomeRun,
        after: int = 0,
        timeout: float | None = None,
        check: bool = True,
    ) -> Iterator[Json]:
        """Yields the events of a run that follow an event id, until the run has ended.

        Each has "id", "at" and "event"; docs/api.md lists the types of events. A lost connection
        resumes after the last event, with retries for 300 s, so that no event is missing or
        repeated. Raises the same errors as `wait`.
        """
        path = f"runs/{_id(run)}"
        patience = max(self._patience, _WAITING_RETRY_SECONDS)
        begun = self._clock()
        while (answer := self._retried(lambda: self._listen(path, after), patience)) is not None:
            with answer:
                for event in _events(answer):
                    self._require_wanted()
                    if event is not None:
                        after = event["id"]
                        yield event
                    if timeout is not None and self._clock() - begun >= timeout:
                        raise WaitTimedOut(timeout, [self._read_run(path, None)])
            self._rest(_SHORTEST_PAUSE)
        if check:
            _checked(Runs([self._read_run(path, None)]))

    def metrics(
        self,
        runs: SomeRun | Iterable[SomeRun],
        name: str | None = None,
        ranks: Iterable[int] = (),
        x: str = "step",
        first: float | None = None,
        last: float | None = None,
        buckets: int = 500,
    ) -> list[Json]:
        """Returns the metrics of runs or, given a name, the curves of one metric of at most 20
        runs.

        A curve has a row for each bucket: "run", "rank" (None for a metric of the whole run),
        "metric" and the fields of a bucket (docs/api.md). x is step, epoch, seconds, wall-clock,
        samples or bytes; first and last bound it, both inclusive.
        """
        several = _several(runs)
        if name is None:
            return [
                {"run": _id(run), **metric}
                for run in several
                for metric in self._get(f"runs/{_id(run)}/metrics")["items"]
            ]
        query = [("run", _id(run)) for run in several]
        query += [("name", name), ("x", x), ("buckets", str(buckets))]
        query += [("rank", str(rank)) for rank in ranks]
        query += [("from", repr(float(first)))] if first is not None else []
        query += [("to", repr(float(last)))] if last is not None else []
        answer = self._get("curves?" + urllib.parse.urlencode(query))
        return [
            {"run": curve["run"], "rank": curve["rank"], "metric": name, **bucket}
            for curve in answer["items"]
            for bucket in curve["buckets"]
        ]

    def log(self, run: SomeRun) -> Iterator[Json]:
        """Yields the lines of a run's log so far: "at", "rank" (None for the service), "text"."""
        return self._listed(f"runs/{_id(run)}/log", [], sys.maxsize)

    def order(self, run: SomeRun) -> Iterator[Json]:
        """Yields the execution order of a completed run with record: true, part by part."""
        after: int | None = 0
        while after is not None:
            part = self._get(f"runs/{_id(run)}/order?after={after}")
            yield from part["items"]
            following: int | None = part["next"]
            if following is not None and following <= after:
                raise NoAnswer(f"the part after {after} must be a later one, but was {following}")
            after = following

    # Trained models

    def model(self, run: SomeRun, torch: bool = False) -> dict[str, Any]:
        """Returns the trained model of a run: its tensors by name, as in a PyTorch state dict.

        They are NumPy arrays, or `Tensor`s where NumPy is not installed; with torch they are
        PyTorch's, for `load_state_dict`. Raises ApiError with the code model-not-yet,
        model-not-kept or model-removed (404) if the run has no model.
        """
        make = _torch_tensor() if torch else _array()
        body = bytearray()
        self._retried(lambda: self._read_model(run, body.clear, body.extend))
        return {name: make(shape, data) for name, shape, data in _tensors(bytes(body))}

    def download_model(self, run: SomeRun, path: str | os.PathLike[str]) -> Path:
        """Writes the trained model of a run to a safetensors file, and returns its path.

        A file of that name is replaced when the whole model is there and its digest is right.
        """
        target = Path(path)
        part = target.with_name(f"{target.name}.{uuid.uuid4().hex}.part")
        try:
            with part.open("xb") as file:
                self._retried(lambda: self._read_model(run, lambda: _restart(file), file.write))
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
        return target

    def remove_model(self, run: SomeRun) -> None:
        """Deletes the trained model of an ended run; its figures stay."""
        self._retried(lambda: self._send("DELETE", f"runs/{_id(run)}/model", None))

    def _read_model(
        self, run: SomeRun, begin: Callable[[], object], write: Callable[[bytes], object]
    ) -> None:
        """Passes a model on slice by slice, anew for each attempt, and checks its digest."""
        path = f"runs/{_id(run)}/model"
        name = f"GET {_API}{path}"
        begin()
        request = self._request("GET", path, "application/octet-stream, application/problem+json")
        self._opened(name, request, lambda it: _copy_checked(name, it, write))

    # Comparisons, plans, presets

    def compare(
        self, runs: SomeRun | Iterable[SomeRun], target: float | None = None
    ) -> Comparison:
        """Compares at most 100 runs with the first one; target is an accuracy from 0 to 1."""
        return Comparison(self._get(_comparison(runs, target)))

    def compare_csv(self, runs: SomeRun | Iterable[SomeRun], target: float | None = None) -> str:
        """Returns a comparison as CSV: a row for each seed group, then one for each run."""
        return self._read(_comparison(runs, target) + "&format=csv").decode()

    def plan(
        self,
        definition: Definition,
        workers: Sequence[Mapping[str, Any]] | None = None,
        link: Mapping[str, Any] | None = None,
        target: float | None = None,
    ) -> Json:
        """Predicts the runs of a definition and ranks alternatives, without running them.

        workers and link describe hypothetical ones (docs/planning.md); by default they are those of
        the lab. Raises ApiError with the code busy (503) if too many plans wait.
        """
        beside = {"workers": workers, "link": link, "target": target}
        return self._post("plans", _plan_document(definition, beside))

    def presets(self) -> list[Json]:
        """Returns the built-in presets with their scales and published figures."""
        items: list[Json] = self._get("presets")["items"]
        return items

    def preset(self, name: str, scale: str | None = None) -> Json:
        """Returns a preset, by default at its default scale; its "definitions" can be submitted."""
        query = "" if scale is None else "?" + urllib.parse.urlencode({"scale": scale})
        return self._get(f"presets/{urllib.parse.quote(name, safe='')}{query}")

    # The lab

    def projects(self) -> list[Project]:
        """Returns the projects that the caller may see, the newest first."""
        return [Project.of(item, self) for item in self._listed("projects", [], sys.maxsize)]

    def project(self, project: str) -> Project:
        """Returns a project by its id or its name."""
        if _is_uuid(project):
            return Project.of(self._get(f"projects/{uuid.UUID(project)}"), self)
        known = [it for it in self.projects() if it.name == project]
        if not known:
            raise WrongInput(f"there is no project {project!r} that the caller may see")
        return known[0]

    def delete_project(self, project: SomeProject, everything: bool = False) -> None:
        """Deletes an empty project, or with everything its experiments, runs and models as well.

        Raises ApiError with the code illegal-state (409) while a run of it has not ended, and if it
        is not empty.
        """
        known = project if isinstance(project, Project) else self.project(project)
        query = {"everything": "true", "name": known.name} if everything else {}
        question = "?" + urllib.parse.urlencode(query) if query else ""
        self._delete(f"projects/{known.id}{question}")

    def webhooks(self, project: SomeProject) -> list[Json]:
        """Returns the webhooks of a project without their secrets, the oldest first."""
        items: list[Json] = self._get(self._webhooks(project))["items"]
        return items

    def create_webhook(
        self,
        project: SomeProject,
        name: str,
        url: str,
        events: Iterable[str] = ("run.ended",),
        secret: str | None = None,
    ) -> Json:
        """Creates a webhook, whose secret is in "secret" of this answer alone.

        events are run.ended and worker.lost. The service makes a secret if none is given.
        """
        wanted = {"name": name, "url": url, "events": _names(events)}
        wanted |= {} if secret is None else {"secret": secret}
        return self._post(self._webhooks(project), _json(wanted))

    def change_webhook(
        self,
        project: SomeProject,
        webhook: str,
        *,
        name: str | None = None,
        url: str | None = None,
        events: Iterable[str] | None = None,
        enabled: bool | None = None,
    ) -> Json:
        """Changes the given fields of a webhook; enabled=True also resumes one that has failed."""
        several = None if events is None else _names(events)
        given = {"name": name, "url": url, "events": several, "enabled": enabled}
        changes = {field: value for field, value in given.items() if value is not None}
        if not changes:
            raise WrongInput("give at least one of name, url, events and enabled")
        return self._patch(self._webhook(project, webhook), changes)

    def remove_webhook(self, project: SomeProject, webhook: str) -> None:
        """Deletes a webhook with its deliveries; pending ones are not sent."""
        self._delete(self._webhook(project, webhook))

    def ping_webhook(self, project: SomeProject, webhook: str) -> Json:
        """Queues a delivery of the type ping, and returns it."""
        return self._post(f"{self._webhook(project, webhook)}/ping", None)

    def webhook_deliveries(
        self, project: SomeProject, webhook: str, limit: int = 100
    ) -> list[Json]:
        """Returns the deliveries of a webhook with their last attempts, the newest first."""
        path = f"{self._webhook(project, webhook)}/deliveries"
        return list(itertools.islice(self._listed(path, [], limit), limit))

    def resend_delivery(self, project: SomeProject, webhook: str, delivery: str) -> Json:
        """Queues a delivery again, with the same id and body, and returns it."""
        place = _named_by_id("a delivery", delivery)
        return self._post(f"{self._webhook(project, webhook)}/deliveries/{place}/resend", None)

    def version(self) -> Json:
        """Returns the "version" of the service's product, and of its "protocol" with agents."""
        return self._get("version")

    def workers(self, states: Iterable[str] = ()) -> list[Json]:
        """Returns the workers, the newest first, with host, labels and versions.

        states, such as "IDLE" and "BUSY", select some; by default also those that have left come.
        """
        query = [("state", state) for state in states]
        return list(self._listed("workers", query, sys.maxsize))

    def label_worker(self, worker: str, labels: Mapping[str, str | None]) -> Json:
        """Sets labels of a worker, removes those whose value is None, and returns the worker.

        The changes outlive restarts of its agent.
        """
        path = f"workers/{_named_by_id('a worker', worker)}"
        return self._patch(path, {"labels": dict(labels)})

    def remove_worker(self, worker: str) -> None:
        """Removes a worker that is lost or has left; its past runs keep its name.

        Raises ApiError with the code illegal-state (409) if it is live.
        """
        path = f"workers/{_named_by_id('a worker', worker)}"
        self._delete(path)

    def join_token(
        self,
        name: str | None = None,
        uses: int = 1,
        expires: datetime.datetime | None = None,
    ) -> Json:
        """Creates a join token, whose text is in "token" of this answer alone.

        It admits as many workers as uses says, at most 1000, until it expires: by default for a
        day, at most for 90 days. expires needs a time zone.
        """
        if expires is not None and expires.tzinfo is None:
            raise WrongInput(f"expires needs a time zone, but was {expires.isoformat()}")
        wanted = {
            "name": name,
            "uses": uses,
            "expiresAt": None if expires is None else expires.isoformat(),
        }
        return self._post("join-tokens", _json(wanted))

    def join_tokens(self) -> list[Json]:
        """Returns the join tokens without their texts, the newest first."""
        return list(self._listed("join-tokens", [], sys.maxsize))

    def revoke_join_token(self, token: str) -> None:
        """Revokes a join token by its id; the workers that it has admitted stay."""
        path = f"join-tokens/{_named_by_id('a join token', token)}"
        self._delete(path)

    # Exchange with other systems

    def bundle(self, experiment: str) -> bytes:
        """Returns the study bundle, a zip file, of an experiment whose runs have ended."""
        return self._read(f"experiments/{_experiment(experiment)}/bundle")

    def take_bundle(self, bundle: bytes, project: SomeProject | None = None) -> Json:
        """Imports a study bundle and returns its experiment, the same one for a second import."""
        path = f"projects/{self._project(project)}/bundles"
        return self._post(path, _Document("application/zip", bundle))

    def imported(self, experiment: str) -> Json:
        """Returns the figures that an imported bundle contains, for all its runs."""
        path = f"experiments/{_experiment(experiment)}/imported?limit={_MAX_PAGE}"
        imported: Json = self._get(path)
        cursor = imported.pop("next", None)
        while cursor is not None:
            page = self._get(f"{path}&cursor={urllib.parse.quote(cursor, safe='')}")
            imported["study"]["runs"] += page["study"]["runs"]
            imported["again"] += page["again"]
            cursor = page.get("next")
        return imported

    def export_to_mlflow(
        self, experiment: str, tracking_uri: str, headers: Mapping[str, str] | None = None
    ) -> list[str]:
        """Exports an experiment whose runs have ended to an MLflow tracking server.

        Returns the ids that the server gave to the runs. Adds the runs to an experiment of the same
        name there if it exists. headers are sent with every request, such as an Authorization of
        that server. Requests are not retried, because the server would store figures twice; after a
        failure the runs sent so far stay there.
        """
        lines = self._read(f"experiments/{_experiment(experiment)}/mlflow").decode().splitlines()
        server = _MlflowServer(tracking_uri, dict(headers or {}), self._timeout)
        return server.send([json.loads(line) for line in lines])

    # Requests of several steps

    def _known_project(self, project: SomeProject) -> str:
        if isinstance(project, Project):
            return project.id
        return project if _is_uuid(project) else self.project(project).id

    def _webhooks(self, project: SomeProject) -> str:
        return f"projects/{self._known_project(project)}/webhooks"

    def _webhook(self, project: SomeProject, webhook: str) -> str:
        name = _named_by_id("a webhook", webhook)
        return f"{self._webhooks(project)}/{name}"

    def _batch(
        self,
        path: str,
        runs: Iterable[SomeRun] | None,
        condition: str | None,
        expected: int | None,
    ) -> list[Json]:
        given = tuple(it is not None for it in (runs, condition, expected))
        if given not in ((True, False, False), (False, True, True)):
            raise WrongInput("give either runs, or a filter and the expected number of runs")
        if runs is None:
            wanted = {"filter": condition, "expectedCount": expected}
            items: list[Json] = self._post(path, _json(wanted))["items"]
            return items
        ids = iter([_id(run) for run in _several(runs)])
        done: list[Json] = []
        while part := list(itertools.islice(ids, _MAX_BATCH)):
            done += self._post(path, _json({"ids": part}))["items"]
        return done

    def _project(self, wanted: SomeProject | None) -> str:
        if wanted is None:
            own: list[str] = list(self._get("me")["projects"])
            if len(own) == 1:
                return own[0]
            wanted = _DEFAULT_PROJECT
        if isinstance(wanted, Project):
            return wanted.id
        if _is_uuid(wanted):
            return wanted
        listed = self._listed("projects", [], sys.maxsize)
        known = [project["id"] for project in listed if project["name"] == wanted]
        project: str = known[0] if known else self._post("projects", _json({"name": wanted}))["id"]
        return project

    def _poll(self, runs: Sequence[Run], say: Say | None) -> Iterator[Run]:
        """Reads runs in short form by experiment, as full ones may be long; others one by one."""
        for experiment in dict.fromkeys(run.experiment for run in runs):
            path = f"runs?limit={_MAX_PAGE}&experiment={experiment}"
            answer = self._get(path, max(self._patience, _WAITING_RETRY_SECONDS), say)
            listed = {item["id"]: Run.of(item, self) for item in answer["items"]}
            for run in runs:
                if run.experiment == experiment:
                    yield listed.get(run.id) or self._read_run(f"runs/{run.id}", say)

    def _read_run(self, path: str, say: Say | None) -> Run:
        return Run.of(self._get(path, max(self._patience, _WAITING_RETRY_SECONDS), say), self)

    # Transport

    def _wanted_until(self, abandoned: threading.Event) -> Client:
        """Returns this client for one call, which ends at its next pause after the event."""
        client = object.__new__(Client)
        client.__dict__ |= self.__dict__ | {"_abandoned": abandoned}
        return client

    def _rest(self, seconds: float) -> None:
        if self._abandoned is None:
            self._sleep(seconds)
        else:
            self._abandoned.wait(seconds)
            self._require_wanted()

    def _require_wanted(self) -> None:
        if self._abandoned is not None and self._abandoned.is_set():
            raise EquipoiseError("the task that waited for this call has ended")

    def _listed(self, path: str, query: list[tuple[str, str]], limit: int) -> Iterator[Json]:
        """Yields the items of a list and reads its pages as they are needed."""
        page = [*query, ("limit", str(min(limit, _MAX_PAGE)))]
        cursor: str | None = None
        while True:
            wanted = page if cursor is None else [*page, ("cursor", cursor)]
            answer = self._get(path + "?" + urllib.parse.urlencode(wanted))
            yield from answer["items"]
            cursor = answer.get("next")
            if cursor is None:
                return

    def _get(self, path: str, patience: float | None = None, say: Say | None = None) -> Json:
        return _parsed("GET", path, self._read(path, patience, say))

    def _read(self, path: str, patience: float | None = None, say: Say | None = None) -> bytes:
        return self._retried(lambda: self._send("GET", path, None), patience, say)

    def _post(self, path: str, document: _Document | None) -> Json:
        body = document or _Document("", b"")
        key = None if path in _WITHOUT_EFFECT else str(uuid.uuid4())
        return _parsed("POST", path, self._retried(lambda: self._send("POST", path, body, key)))

    def _put(self, path: str, document: _Document, seen: str | None) -> Json:
        headers = {} if seen is None else {"If-Match": seen}
        return _parsed(
            "PUT", path, self._retried(lambda: self._send("PUT", path, document, headers=headers))
        )

    def _patch(self, path: str, changes: Json) -> Json:
        """Changes a resource by a JSON merge patch (RFC 7396), in which null removes a field."""
        document = _json(changes)
        return _parsed("PATCH", path, self._retried(lambda: self._send("PATCH", path, document)))

    def _retried(
        self, ask: Callable[[], _Read], patience: float | None = None, say: Say | None = None
    ) -> _Read:
        patience = self._patience if patience is None else patience
        begun = self._clock()
        least = _SHORTEST_PAUSE
        while True:
            try:
                return ask()
            except (NoAnswer, ApiError) as failure:
                asked = failure.retry_after if isinstance(failure, ApiError) else None
                pause = max(least, asked or 0)
                if not _is_transient(failure) or self._clock() - begun + pause > patience:
                    raise
                if say is not None and least == _SHORTEST_PAUSE:
                    say(f"{failure}; retrying for {patience:g} s")
            self._rest(pause)
            least = min(least * 2, _LONGEST_PAUSE)

    def _delete(self, path: str) -> None:
        """Deletes a resource; an attempt whose answer was lost may have deleted it before."""
        in_doubt = False

        def ask() -> bytes:
            nonlocal in_doubt
            try:
                return self._send("DELETE", path, None)
            except NoAnswer:
                in_doubt = True
                raise
            except ApiError as failure:
                if in_doubt and failure.code == _NOT_FOUND:
                    return b""
                in_doubt = in_doubt or failure.code != _RATE_LIMITED
                raise

        self._retried(ask)

    def _send(
        self,
        method: str,
        path: str,
        document: _Document | None,
        key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> bytes:
        accepted = "application/json, application/problem+json, text/csv"
        request = self._request(method, path, accepted)
        for header, value in (headers or {}).items():
            request.add_header(header, value)
        if key is not None:
            request.add_header("Idempotency-Key", key)
        if document is not None:
            request.data = document.body
            request.add_header("Content-Type", document.type or "application/json")
        name = f"{method} {_API}{path.partition('?')[0]}"
        doubt = "" if key is None else "; the service may have executed it"
        return self._opened(name, request, lambda it: self._bounded(name, it), doubt)

    def _listen(self, path: str, after: int) -> http.client.HTTPResponse | None:
        """Opens the stream of events after an id; None if no event can follow."""
        name = f"GET {_API}{path}/events"
        request = self._request("GET", path + "/events", _EVENTS + ", application/problem+json")
        request.add_header("Last-Event-ID", str(after))
        answer = self._opened(name, request, lambda it: it)
        if answer.status == 204:
            answer.close()
            return None
        return answer

    def _request(self, method: str, path: str, accepted: str) -> urllib.request.Request:
        request = urllib.request.Request(self._base + _API + path, method=method)
        request.add_unredirected_header("Authorization", "Bearer " + self._token)
        request.add_header("Accept", accepted)
        request.add_header("User-Agent", f"equipoise-python/{__version__}")
        return request

    def _opened(
        self,
        name: str,
        request: urllib.request.Request,
        read: Callable[[http.client.HTTPResponse], _Read],
        doubt: str = "",
    ) -> _Read:
        try:
            return read(self._opener.open(request, timeout=self._timeout))
        except urllib.error.HTTPError as rejection:
            with rejection:
                problem = self._problem(name, rejection)
        except ssl.SSLCertVerificationError as failure:
            raise self._no_certificate(failure) from None
        except (OSError, http.client.HTTPException) as failure:
            reason = getattr(failure, "reason", None) or failure
            if isinstance(reason, ssl.SSLCertVerificationError):
                raise self._no_certificate(reason) from None
            text = self._redacted(str(reason) or type(reason).__name__)
            raise NoAnswer(f"{name} got no answer from {self._base}: {text}{doubt}") from None
        raise problem

    def _no_certificate(self, failure: ssl.SSLCertVerificationError) -> WrongInput:
        reason = str(failure.verify_message).rstrip(".")
        if failure.verify_code not in _CERTIFIED_OTHERWISE:
            reason += "; ca names a file with the certificate of its authority"
        return WrongInput(f"the certificate of {self._base} is not trusted: {reason}")

    def _bounded(self, name: str, response: http.client.HTTPResponse) -> bytes:
        with response:
            body = response.read(self._max_bytes + 1)
            if len(body) > self._max_bytes:
                raise EquipoiseError(
                    f"the response to {name} must have at most {self._max_bytes} bytes"
                )
            if response.length:
                raise http.client.IncompleteRead(body, response.length)
            return body

    def _problem(self, name: str, rejection: urllib.error.HTTPError) -> ApiError:
        retry_after = _retry_after(rejection.headers)
        try:
            text = rejection.read(self._max_bytes).decode(errors="replace")
            problem = json.loads(self._redacted(text))
        except (ValueError, OSError, http.client.HTTPException):
            problem = None
        if not isinstance(problem, dict):
            reason = str(rejection.reason)
            return ApiError(name, rejection.code, "", reason, retry_after=retry_after)
        violations = [
            Violation(str(it.get("pointer", "")), str(it.get("rule", "")), it.get("value"))
            for it in problem.get("errors") or []
            if isinstance(it, dict)
        ]
        detail = " ".join(str(problem.get("detail") or problem.get("title") or "").split())
        code = str(problem.get("code") or "")
        return ApiError(name, rejection.code, code, detail, violations, retry_after)

    def _redacted(self, text: str) -> str:
        return text.replace(self._token, "***")


def _offloaded(
    method: Callable[Concatenate[Client, _Arguments], _Read],
) -> Callable[Concatenate[AsyncClient, _Arguments], Coroutine[Any, Any, _Read]]:
    """Makes a method of Client a coroutine."""

    @functools.wraps(method)
    async def call(
        client: AsyncClient, /, *arguments: _Arguments.args, **named: _Arguments.kwargs
    ) -> _Read:
        return await client._call(lambda it: method(it, *arguments, **named))

    return call


def _offloaded_iterator(
    method: Callable[Concatenate[Client, _Arguments], Iterator[Json]],
) -> Callable[Concatenate[AsyncClient, _Arguments], AsyncIterator[Json]]:
    """Makes a method of Client that yields items an asynchronous generator."""

    @functools.wraps(method)
    async def iterate(
        client: AsyncClient, /, *arguments: _Arguments.args, **named: _Arguments.kwargs
    ) -> AsyncIterator[Json]:
        abandoned = threading.Event()
        items = method(client._client._wanted_until(abandoned), *arguments, **named)
        while (item := await client._thread(lambda: next(items, None), abandoned)) is not None:
            yield item

    return iterate


class AsyncClient:
    """Client for asyncio: the methods of `Client` as coroutines.

        async with AsyncClient.from_environment() as client:
            runs = await client.wait(await client.submit(definition))
            async for event in client.stream(runs[0]):
                print(event)

    A request runs in a thread of the client's own, because Python's library has no asynchronous
    HTTP. At most `concurrency` requests and streams do so at once, and further ones wait for a
    thread; `wait` holds none while it pauses. A call whose task is canceled ends after the current
    request, and cancels no run. Methods of a returned run, such as `Run.wait`, block as ever. Other
    event loops than that of asyncio are not supported.
    """

    def __init__(
        self,
        client: Client,
        *,
        concurrency: int = _ASYNCHRONOUS_REQUESTS,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._client = client
        self._sleep = sleep
        self._pool = concurrent.futures.ThreadPoolExecutor(concurrency, "equipoise")

    @classmethod
    def from_environment(cls, **settings: Any) -> AsyncClient:
        """Creates a client as `Client.from_environment` does."""
        return cls(Client.from_environment(**settings))

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Waits for the requests that are under way and ends the threads."""
        await asyncio.to_thread(self._pool.shutdown)

    def __repr__(self) -> str:
        return f"Async{self._client!r}"

    async def wait(
        self,
        runs: SomeRun | Iterable[SomeRun],
        progress: bool | Say | None = True,
        timeout: float | None = None,
        check: bool = True,
    ) -> Runs:
        """Waits until all runs have ended, as `Client.wait` does."""
        waiting = _Waiting([_id(run) for run in _several(runs)], progress, timeout)
        with waiting.progress:
            while (pause := await self._call(waiting.step)) is not None:
                await self._sleep(pause)
            return await self._call(lambda it: waiting.finish(it, check))

    validate = _offloaded(Client.validate)
    schema = _offloaded(Client.schema)
    submit = _offloaded(Client.submit)
    experiment = _offloaded(Client.experiment)
    redefine = _offloaded(Client.redefine)
    change_experiment = _offloaded(Client.change_experiment)
    remove_experiment = _offloaded(Client.remove_experiment)
    run = _offloaded(Client.run)
    runs = _offloaded(Client.runs)
    change_run = _offloaded(Client.change_run)
    rerun = _offloaded(Client.rerun)
    delete = _offloaded(Client.delete)
    cancel = _offloaded(Client.cancel)
    cancel_runs = _offloaded(Client.cancel_runs)
    delete_runs = _offloaded(Client.delete_runs)
    run_fields = _offloaded(Client.run_fields)
    stream = _offloaded_iterator(Client.stream)
    metrics = _offloaded(Client.metrics)
    log = _offloaded_iterator(Client.log)
    order = _offloaded_iterator(Client.order)
    model = _offloaded(Client.model)
    download_model = _offloaded(Client.download_model)
    remove_model = _offloaded(Client.remove_model)
    compare = _offloaded(Client.compare)
    compare_csv = _offloaded(Client.compare_csv)
    plan = _offloaded(Client.plan)
    presets = _offloaded(Client.presets)
    preset = _offloaded(Client.preset)
    projects = _offloaded(Client.projects)
    project = _offloaded(Client.project)
    delete_project = _offloaded(Client.delete_project)
    webhooks = _offloaded(Client.webhooks)
    create_webhook = _offloaded(Client.create_webhook)
    change_webhook = _offloaded(Client.change_webhook)
    remove_webhook = _offloaded(Client.remove_webhook)
    ping_webhook = _offloaded(Client.ping_webhook)
    webhook_deliveries = _offloaded(Client.webhook_deliveries)
    resend_delivery = _offloaded(Client.resend_delivery)
    version = _offloaded(Client.version)
    workers = _offloaded(Client.workers)
    label_worker = _offloaded(Client.label_worker)
    remove_worker = _offloaded(Client.remove_worker)
    join_token = _offloaded(Client.join_token)
    join_tokens = _offloaded(Client.join_tokens)
    revoke_join_token = _offloaded(Client.revoke_join_token)
    bundle = _offloaded(Client.bundle)
    take_bundle = _offloaded(Client.take_bundle)
    imported = _offloaded(Client.imported)
    export_to_mlflow = _offloaded(Client.export_to_mlflow)

    async def _call(self, call: Callable[[Client], _Read]) -> _Read:
        abandoned = threading.Event()
        client = self._client._wanted_until(abandoned)
        return await self._thread(lambda: call(client), abandoned)

    async def _thread(self, call: Callable[[], _Read], abandoned: threading.Event) -> _Read:
        """Calls a function in a thread, and sets the event if the task is canceled meanwhile."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, call)
        except asyncio.CancelledError:
            abandoned.set()
            raise


def _is_transient(failure: NoAnswer | ApiError) -> bool:
    return (
        isinstance(failure, NoAnswer)
        or failure.status in _TRANSIENT_STATUSES
        or failure.code == _RATE_LIMITED
    )


_RESET = re.compile(r"(?:^|[;,\s])t=(\d{1,9})\b")


def _retry_after(headers: email.message.Message) -> float | None:
    """Reads the seconds of Retry-After, or else those until a rate limit is renewed.

    Other forms, such as the date that a proxy sends, count as unknown.
    """
    stated = headers.get("Retry-After", "").strip()
    if re.fullmatch(r"\d{1,9}", stated):
        return float(stated)
    reset = _RESET.search(headers.get("RateLimit", "")) if not stated else None
    return float(reset[1]) if reset is not None else None


def _copy_checked(
    name: str, response: http.client.HTTPResponse, write: Callable[[bytes], object]
) -> None:
    digest = hashlib.sha256()
    with response:
        stated = _DIGEST.fullmatch(response.headers.get("Content-Digest", ""))
        while part := response.read(_SLICE):
            digest.update(part)
            write(part)
        if response.length:
            raise http.client.IncompleteRead(b"", response.length)
    if stated is None or base64.b64decode(stated[1]) != digest.digest():
        raise NoAnswer(f"the response to {name} does not have the digest of a model file")


def _restart(file: Any) -> None:
    file.seek(0)
    file.truncate()


def _tensors(file: bytes) -> Iterator[tuple[str, tuple[int, ...], memoryview]]:
    """Yields names, shapes and little-endian float32 data of the tensors of a safetensors file."""
    length = int.from_bytes(file[:_BYTES_OF_A_LENGTH], "little")
    begin = _BYTES_OF_A_LENGTH + length
    try:
        header = json.loads(file[_BYTES_OF_A_LENGTH:begin])
        for name, tensor in header.items():
            if name == "__metadata__":
                continue
            first, last = tensor["data_offsets"]
            shape = tuple(int(size) for size in tensor["shape"])
            data = memoryview(file)[begin + first : begin + last]
            if tensor["dtype"] != "F32" or len(data) != math.prod(shape) * _BYTES_OF_A_FLOAT:
                raise ValueError(f"tensor {name} is not of {shape} float32 values")
            yield name, shape, data
    except (ValueError, KeyError, TypeError, AttributeError) as failure:
        raise NoAnswer(f"the response is no safetensors file of float32: {failure}") from None


_Make = Callable[[tuple[int, ...], memoryview], Any]


def _array() -> _Make:
    try:
        numpy = importlib.import_module("numpy")
    except ImportError:
        return _plain_tensor
    return lambda shape, data: numpy.frombuffer(data, dtype="<f4").reshape(shape).copy()


def _plain_tensor(shape: tuple[int, ...], data: memoryview) -> Tensor:
    values = array.array("f")
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()
    return Tensor(shape, values)


def _torch_tensor() -> _Make:
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        raise WrongInput("torch=True needs PyTorch, which is not installed") from None

    def make(shape: tuple[int, ...], data: memoryview) -> Any:
        values = _plain_tensor(shape, data).values
        flat = torch.frombuffer(values, dtype=torch.float32) if values else torch.zeros(0)
        return flat.reshape(shape)

    return make


def rows(source: Mapping[str, Any] | Run | Iterable[Run]) -> list[Json]:
    """Converts results to flat dicts for pandas.DataFrame.

    A comparison has one row for each run, with the names of the service's CSV; ratios such as
    trainingSpeedup are relative to the first run. Runs in full form have one row for each epoch and
    rank. Unknown values are None.
    """
    if isinstance(source, Mapping):
        if "runs" not in source or "baseline" not in source:
            raise WrongInput("rows needs a comparison or runs")
        return [_comparison_row(run) for run in source["runs"]]
    if isinstance(source, Run):
        return list(_epoch_rows(source))
    return [row for run in source for row in _epoch_rows(run)]


def _run_row(run: Run) -> Json:
    """Returns a flat dict with the figures of a run, and its configuration by dotted paths."""
    kinds = ("synchronization", "topology", "compression", "partitioning")
    short = {kind: run.answer.get(kind) for kind in kinds}
    return {
        **_dotted(run.answer.get("configuration") or short),
        "run": run.id,
        "experiment": run.experiment,
        "name": run.name,
        "position": run.position,
        "seed": run.seed,
        "state": run.state,
        "progress": run.progress.fraction,
        "epoch": run.progress.epoch,
        "testAccuracy": run.test_accuracy,
        "testLoss": run.answer.get("testLoss"),
        "epochSeconds": run.epoch_seconds,
        "predictedEpochSeconds": run.predicted_epoch_seconds,
        "failure": run.failure[0] if run.failure else None,
        "queuedAt": run.answer.get("queuedAt"),
        "startedAt": run.answer.get("startedAt"),
        "endedAt": run.answer.get("endedAt"),
    }


def _dotted(tree: Mapping[str, Any], prefix: str = "") -> Json:
    flat: Json = {}
    for name, value in tree.items():
        if isinstance(value, Mapping):
            flat |= _dotted(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = value
    return flat


def _frame(table: list[Json]) -> Any:
    try:
        pandas = importlib.import_module("pandas")
    except ImportError:
        raise WrongInput(
            "to_pandas needs pandas, which is not installed: python3 -m pip install pandas"
        ) from None
    return pandas.DataFrame(table)


def group_rows(comparison: Mapping[str, Any]) -> list[Json]:
    """Converts the seed groups of a comparison to flat dicts, one for each group.

    The names are those of the service's CSV: a figure such as trainingSeconds is the mean over the
    completed runs, trainingSecondsLow and trainingSecondsHigh are the ends of its interval as the
    service computed it. That is the 95 % confidence interval of four seeds or more, or the least
    and greatest of fewer (trainingSecondsInterval: confidence, range or none).
    """
    if "groups" not in comparison:
        raise WrongInput("group_rows needs a comparison")
    return [_group_row(number, group) for number, group in enumerate(comparison["groups"])]


def override(definition: Mapping[str, Any], settings: Mapping[str, Any]) -> Json:
    """Returns a definition with fields set by their dotted paths, such as training.epochs.

    Expands a short form on the path, such as partitioning: functional. Raises WrongInput for a
    field that the definition sweeps, because setting it has no effect.
    """
    result: Json = copy.deepcopy(dict(definition))
    for path, value in settings.items():
        _require_not_swept(definition, path, settings)
        *parents, last = path.split(".")
        if not all((*parents, last)):
            raise WrongInput(f"a field must be named by its dotted path, but was {path!r}")
        place = result
        for parent in parents:
            child = place.get(parent)
            if not isinstance(child, dict):
                child = {"kind": child} if isinstance(child, str) else {}
                place[parent] = child
            place = child
        place[last] = value
    return result


@dataclass(frozen=True)
class _Document:
    type: str
    body: bytes


class _MlflowServer:
    """Client of an MLflow tracking server that sends calls in order."""

    _CREATED = "/api/2.0/mlflow/experiments/create"
    _BY_NAME = "/api/2.0/mlflow/experiments/get-by-name?"

    def __init__(self, uri: str, headers: Mapping[str, str], timeout: float) -> None:
        if not re.match(r"https?://[^\s?#]+$", uri):
            raise WrongInput(
                f"the tracking server must be http(s)://HOST[:PORT], but was {_shown(uri)!r}:"
                " give scheme and host, without spaces and without a query"
            )
        self._uri = uri.rstrip("/")
        self._headers = headers
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirect)

    def send(self, calls: Iterable[Json]) -> list[str]:
        """Sends the calls with the server's ids in place of their placeholders."""
        ids: dict[str, str] = {}
        runs = []
        for call in calls:
            body = {
                name: ids.get(value, value) if isinstance(value, str) else value
                for name, value in call["body"].items()
            }
            answer = self._sent(call["method"], call["path"], body)
            if "experiment_id" in answer:
                ids["$experiment_id"] = str(answer["experiment_id"])
            if "run" in answer:
                ids["$run_id"] = str(answer["run"]["info"]["run_id"])
                runs.append(ids["$run_id"])
        return runs

    def _sent(self, method: str, path: str, body: Json) -> Json:
        try:
            return self._asked(method, path, body)
        except ApiError as rejection:
            if path != self._CREATED or rejection.code != "RESOURCE_ALREADY_EXISTS":
                raise
        name = urllib.parse.urlencode({"experiment_name": body["name"]})
        known: Json = self._asked("GET", self._BY_NAME + name, None)["experiment"]
        return known

    def _asked(self, method: str, path: str, body: Json | None) -> Json:
        request = urllib.request.Request(self._uri + path, method=method)
        for header, value in self._headers.items():
            request.add_unredirected_header(header, value)
        if body is not None:
            request.data = json.dumps(body, ensure_ascii=False).encode()
            request.add_header("Content-Type", "application/json")
        name = f"{method} {path.partition('?')[0]}"
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                content = response.read() or b"{}"
                answer = json.loads(content)
        except urllib.error.HTTPError as rejection:
            with rejection:
                raise _rejected_by_mlflow(name, rejection) from None
        except (OSError, ValueError, http.client.HTTPException) as failure:
            reason = getattr(failure, "reason", None) or failure
            raise NoAnswer(f"{name} got no answer from the tracking server: {reason}") from None
        if not isinstance(answer, dict):
            raise NoAnswer(
                f"the response to {name} must be a JSON object, but was {_kind(content)}:"
                f" check that {_shown(self._uri)} is an MLflow tracking server"
            )
        return answer


def _rejected_by_mlflow(name: str, rejection: urllib.error.HTTPError) -> ApiError:
    try:
        body = json.loads(rejection.read())
    except (OSError, ValueError, http.client.HTTPException):
        body = {}
    body = body if isinstance(body, dict) else {}
    code, message = str(body.get("error_code", "")), str(body.get("message", rejection.reason))
    return ApiError(name, rejection.code, code, message)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments: Any, **more: Any) -> None:
        return None


class _Progress:
    """Notices changes of runs, and describes them."""

    def __init__(self, say: Say | None) -> None:
        self.say = say
        self._last: dict[str, object] = {}
        self._simulated: set[str] = set()

    def __enter__(self) -> None:
        pass

    def __exit__(self, *failure: object) -> None:
        pass

    def update(self, run: Run) -> bool:
        """Takes the state of a run, and returns whether it has changed."""
        execution = (run.answer.get("configuration") or {}).get("execution") or {}
        if execution.get("kind", "real") != "real":
            self._simulated.add(run.id)
        now = (run.state, run.waiting, run.progress.epoch, int(run.progress.fraction * 10))
        has_changed = self._last.get(run.id) != now
        self._last[run.id] = now
        return has_changed

    def line(self, run: Run) -> str:
        """Describes a run in one line."""
        parts = [_end(run)]
        if not run.is_over and run.state != "QUEUED":
            parts.append(f"epoch {run.progress.epoch} of {run.progress.epochs}")
        parts += [run.waiting] if run.waiting else []
        parts += [f"accuracy {run.test_accuracy:.4f}"] if run.test_accuracy is not None else []
        left = self._seconds_left(run)
        parts += [f"{left:.0f} s left"] if left is not None else []
        return f"{_title(run)}: {', '.join(parts)}"

    def _seconds_left(self, run: Run) -> float | None:
        """Estimates by the epochs so far or the prediction; None for a run on a virtual clock."""
        epoch = run.epoch_seconds if run.epoch_seconds is not None else run.predicted_epoch_seconds
        if run.is_over or run.state == "QUEUED" or epoch is None or run.id in self._simulated:
            return None
        return (1 - run.progress.fraction) * run.progress.epochs * epoch


class _ProgressLines(_Progress):
    """Reports progress in lines, and only changes."""

    def update(self, run: Run) -> bool:
        has_changed = super().update(run)
        if has_changed and self.say is not None:
            self.say(self.line(run))
        return has_changed


class _ProgressBar(_Progress):
    """Shows all runs at one place, which it rewrites."""

    def __init__(self, place: _Terminal | _Notebook) -> None:
        super().__init__(self._remark)
        self._place = place
        self._runs: dict[str, Run] = {}

    def __exit__(self, *failure: object) -> None:
        self._place.close()

    def update(self, run: Run) -> bool:
        has_changed = super().update(run)
        self._runs[run.id] = run
        states = collections.Counter(it.state.lower() for it in self._runs.values())
        counts = ", ".join(f"{count} {state}" for state, count in states.items())
        text = self.line(run) if len(self._runs) == 1 else f"{len(self._runs)} runs: {counts}"
        self._place.show(self._fraction(), text)
        return has_changed

    def _remark(self, text: str) -> None:
        self._place.show(self._fraction(), text)

    def _fraction(self) -> float:
        fractions = [1 if it.is_over else it.progress.fraction for it in self._runs.values()]
        return sum(fractions) / max(1, len(fractions))


class _Terminal:
    """A line of a terminal."""

    _WIDTH = 20

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._shown = ""

    def show(self, fraction: float, text: str) -> None:
        """Replaces the line, cut to the width of the terminal."""
        visible = "".join(it if it.isprintable() else " " for it in text)
        bar = "#" * int(fraction * self._WIDTH)
        line = f"[{bar:<{self._WIDTH}}] {fraction:4.0%}  {visible}"
        line = line[: shutil.get_terminal_size().columns - 1]
        if line != self._shown:
            self._file.write("\r" + line.ljust(len(self._shown)))
            self._file.flush()
            self._shown = line

    def close(self) -> None:
        """Ends the line, which stays."""
        if self._shown:
            self._file.write("\n")
            self._file.flush()


class _Notebook:
    """An output of a notebook's cell; display is the module IPython.display."""

    def __init__(self, display: Any) -> None:
        self._display = display
        self._handle: Any = None

    def show(self, fraction: float, text: str) -> None:
        """Replaces the output."""
        bar = f'<progress max="1" value="{fraction:.3f}"></progress> {html.escape(text)}'
        if self._handle is None:
            self._handle = self._display.display(self._display.HTML(bar), display_id=True)
        else:
            self._handle.update(self._display.HTML(bar))

    def close(self) -> None:
        """Leaves the output as it is."""


def _progress_of(wanted: bool | Say | None) -> _Progress:
    if wanted is not True:
        return _ProgressLines(wanted or None)
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if getattr(shell, "kernel", None) is not None:
        return _ProgressBar(_Notebook(importlib.import_module("IPython.display")))
    return _ProgressBar(_Terminal(sys.stderr)) if sys.stderr.isatty() else _ProgressLines(None)


class _Waiting:
    """A wait for runs in steps, between which the caller pauses: a thread or a coroutine."""

    def __init__(
        self, runs: Sequence[str], progress: bool | Say | None, timeout: float | None
    ) -> None:
        self.progress = _progress_of(progress)
        self._ids = runs
        self._timeout = timeout
        self._begun = 0.0
        self._latest: dict[str, Run] = {}
        self._pause = _SHORTEST_PAUSE

    def step(self, client: Client) -> float | None:
        """Reads the open runs; returns the seconds until the next step, None if none is open."""
        if self._latest:
            self._pause = min(self._pause * 1.5, _LONGEST_POLL_PAUSE)
            for run in client._poll(self._open(), self.progress.say):
                if self._update(run):
                    self._pause = _SHORTEST_PAUSE
        else:
            self._begun = client._clock()
            for run_id in self._ids:
                self._update(client._read_run(f"runs/{run_id}", self.progress.say))
        return self._seconds(client) if self._open() else None

    def finish(self, client: Client, check: bool) -> Runs:
        """Returns all runs in full form."""
        finished = Runs(
            run
            if run.epochs is not None
            else client._read_run(f"runs/{run.id}", self.progress.say)
            for run in self._latest.values()
        )
        return _checked(finished) if check else finished

    def _open(self) -> list[Run]:
        return [run for run in self._latest.values() if not run.is_over]

    def _update(self, run: Run) -> bool:
        self._latest[run.id] = run
        return self.progress.update(run)

    def _seconds(self, client: Client) -> float:
        if self._timeout is None:
            return self._pause
        left = self._begun + self._timeout - client._clock()
        if left <= 0:
            raise WaitTimedOut(self._timeout, self._open())
        return min(self._pause, left)


def _end(run: Run) -> str:
    if run.failure is not None:
        return f"failed with {run.failure[0]}: {run.failure[1]}"
    return run.state.lower()


def _checked(runs: Runs) -> Runs:
    failed = [run for run in runs if not run.is_completed]
    if failed:
        raise RunFailed(failed, runs)
    return runs


def _base(url: str) -> str:
    required = "the URL of the service must be http://HOST:PORT or https://HOST/PATH"
    rule = f"{required}, but was {_shown(url)!r}"
    try:
        parts = urllib.parse.urlsplit(url)
        parts.port  # noqa: B018 - reading it checks it
    except ValueError:
        # The parser did not find its parts, so any of them may be a secret.
        raise WrongInput(f"{required}, but its host or its port is invalid") from None
    if parts.username is not None or parts.password is not None:
        raise WrongInput(f"{rule}: leave out user and password, and pass the token to Client")
    plain = not parts.query and not parts.fragment and _PATH.fullmatch(parts.path)
    if (
        parts.scheme not in ("http", "https")
        or not parts.hostname
        or not plain
        or re.search(r"\s", url)
    ):
        raise WrongInput(f"{rule}: give only scheme, host, port and path")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def _ca_of_environment(url: str) -> str | None:
    """Returns the file that $EQUIPOISE_CA names; None for a service without a certificate."""
    ca = os.environ.get("EQUIPOISE_CA", "").strip()
    return ca if ca and url.lower().startswith("https:") else None


def _trust(base: str, ca: str | os.PathLike[str] | None) -> ssl.SSLContext | None:
    """Returns a context that trusts the certificate authorities of a file; None without one."""
    if ca is None:
        return None
    if not base.startswith("https:"):
        raise WrongInput(f"ca applies to an https service, but the service was {base}")
    try:
        return ssl.create_default_context(cafile=ca)
    except OSError as failure:
        reason = failure.strerror or failure
        raise WrongInput(f"cannot use the certificate authorities of {ca}: {reason}") from None


def _shown(url: str) -> str:
    """Returns a URL for a message; only its scheme if it has parts that may be secret."""
    if not re.search(r"[@?#]|[^\x00-\x7f]", url):
        return url
    scheme = re.match(r"[a-z]+://", url, re.IGNORECASE)
    return (scheme[0] if scheme else "") + "..."


def _checked_token(token: str) -> str:
    """Checks the token here, because an error of http.client would contain it."""
    if not token:
        raise WrongInput("the token is empty: create one on the page of your account")
    wrong = re.search(r"[^\x21-\x7e]", token)
    if wrong is not None:
        raise WrongInput(
            "the token must consist of visible ASCII characters, but character"
            f" {wrong.start() + 1} of {len(token)} is U+{ord(wrong[0]):04X}:"
            " copy it again, without spaces and line ends"
        )
    return token


def _several(runs: SomeRun | Iterable[SomeRun]) -> list[SomeRun]:
    several = [runs] if isinstance(runs, (Run, str)) else list(runs)
    if not several:
        raise WrongInput("at least one run must be given")
    return several


def _is_uuid(text: str) -> bool:
    return re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", text) is not None


def _id(run: SomeRun) -> str:
    name = run.id if isinstance(run, Run) else run
    if not _is_uuid(name):
        raise WrongInput(f"a run must be named by its id, but was {name!r}")
    return str(uuid.UUID(name))


def _experiment(name: str) -> str:
    return _named_by_id("an experiment", name)


def _named_by_id(what: str, name: str) -> str:
    if not _is_uuid(name):
        raise WrongInput(f"{what} must be named by its id, but was {name!r}")
    return str(uuid.UUID(name))


def _names(given: Iterable[str]) -> list[str]:
    """Returns names as a list; a single text is one name."""
    return [given] if isinstance(given, str) else list(given)


def _comparison(runs: SomeRun | Iterable[SomeRun], target: float | None) -> str:
    query = "comparisons?runs=" + ",".join(_id(run) for run in _several(runs))
    return query if target is None else f"{query}&target={float(target)}"


def _json(value: object) -> _Document:
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError) as failure:
        raise WrongInput(f"a definition must contain only JSON values: {failure}") from None
    return _Document("application/json", text.encode())


def _document(definition: Definition) -> _Document:
    if isinstance(definition, Mapping):
        return _json(dict(definition))
    text = _text(definition)
    return _Document(
        "application/yaml" if _tree(text) is None else "application/json", text.encode()
    )


def _plan_document(definition: Definition, beside: Mapping[str, Any]) -> _Document:
    given = {name: value for name, value in beside.items() if value is not None}
    if isinstance(definition, Mapping):
        return _json({"definition": dict(definition), **given})
    text = _text(definition)
    tree = _tree(text)
    if tree is not None:
        return _json({"definition": tree, **given})
    lines = [line for line in text.splitlines() if line.rstrip() not in ("---", "...")]
    around = [f"{name}: {_json(value).body.decode()}" for name, value in given.items()]
    body = "\n".join([*around, "definition:", *("  " + line for line in lines), ""])
    return _Document("application/yaml", body.encode())


def _text(definition: str | os.PathLike[str]) -> str:
    return (
        definition if isinstance(definition, str) else Path(definition).read_text(encoding="utf-8")
    )


def _tree(text: str) -> Json | None:
    """Reads a text as a JSON object; None if it is none, and so must be YAML."""
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return tree if isinstance(tree, dict) else None


def _parsed(method: str, path: str, body: bytes) -> Json:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        place = path.partition("?")[0]
        raise NoAnswer(
            f"the response to {method} {_API}{place} must be a JSON object, but was"
            f" {_kind(body)}: check that the URL is that of the service"
        )
    return answer


_JSON_KINDS = {
    list: "array",
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
    type(None): "null",
}


def _kind(body: bytes) -> str:
    """Describes a response for a message, without its text, which may be secret."""
    try:
        content = json.loads(body)
    except RecursionError:
        return "JSON that is nested too deeply"
    except ValueError:
        return f"{len(body)} bytes that are not JSON"
    return f"a JSON {_JSON_KINDS[type(content)]}"


def _events(answer: http.client.HTTPResponse) -> Iterator[Json | None]:
    """Yields the events of a stream until it ends or is lost; yields None for a keep-alive.

    Messages about the stream itself have no id and count as keep-alives.
    """
    fields: dict[str, str] = {}
    while line := _line(answer):
        text = line.decode(errors="replace").rstrip("\r\n")
        if text:
            name, _, value = text.partition(":")
            fields[name] = value.removeprefix(" ")
            continue
        if "id" in fields and "data" in fields:
            yield _parsed("GET", "events", fields["data"].encode())
        else:
            yield None
        fields = {}


def _line(answer: http.client.HTTPResponse) -> bytes:
    """Reads a line; empty at the end of the stream or after an error."""
    try:
        return answer.readline()
    except (OSError, http.client.HTTPException):
        return b""


_RATIOS = {
    "timeToTarget": "timeToTargetSpeedup",
    "bytesToTarget": "bytesToTargetRatio",
    "trainingTime": "trainingSpeedup",
    "communicationTime": "communicationSpeedup",
    "synchronizationTime": "synchronizationSpeedup",
    "bytesSent": "bytesSentRatio",
    "samples": "samplesRatio",
}

_PHASES = (
    "rendezvous",
    "data",
    "warmUp",
    "restore",
    "calibration",
    "training",
    "evaluation",
    "checkpoint",
    "coordination",
)


def _comparison_row(run: Mapping[str, Any]) -> Json:
    ratios = run.get("ratios") or {}
    phases = run.get("phases") or {}
    return {
        "run": run["run"],
        "label": run["label"],
        "name": run["name"],
        "group": run["group"],
        "seed": run["seed"],
        "state": run["state"],
        "partitioning": (run.get("partitioning") or {}).get("kind"),
        "epochSeconds": run.get("epochSeconds"),
        "predictedEpochSeconds": run.get("predictedEpochSeconds"),
        "predictionError": run.get("predictionError"),
        "replicasIdentical": run.get("replicasIdentical"),
        "epochSpeedup": run.get("speedup"),
        **(run.get("figures") or {}),
        "elapsedSeconds": run.get("elapsedSeconds"),
        **{
            f"phase{phase[0].upper()}{phase[1:]}Seconds": phases.get(f"{phase}Seconds")
            for phase in _PHASES
        },
        **{name: ratios.get(ratio) for ratio, name in _RATIOS.items()},
    }


def _group_row(number: int, group: Mapping[str, Any]) -> Json:
    estimates = group.get("ratioEstimates") or {}
    row = {
        "group": number,
        "label": group["label"],
        "runs": len(group["runs"]),
        "completed": group["completed"],
        "reached": group["reached"],
        "commonSeeds": len(group.get("commonSeeds") or []),
    }
    for name, estimate in (group.get("figures") or {}).items():
        row |= _estimate(name, estimate)
    for ratio, name in _RATIOS.items():
        row |= _estimate(name, estimates.get(ratio))
        row[name] = (group.get("ratios") or {}).get(ratio)
    return row | _estimate("accuracyDifference", group.get("accuracyDifference"))


def _estimate(name: str, estimate: Mapping[str, Any] | None) -> Json:
    known = estimate or {}
    return {
        name: known.get("mean"),
        f"{name}Low": known.get("low"),
        f"{name}High": known.get("high"),
        f"{name}Interval": known.get("interval"),
    }


def _epoch_rows(run: Run) -> Iterator[Json]:
    replicas = {replica["rank"]: replica for replica in run.answer.get("replicas") or []}
    for epoch in _epochs(run):
        of_epoch = {
            name: value for name, value in epoch.items() if not isinstance(value, (dict, list))
        }
        for rank in epoch["ranks"]:
            replica = replicas.get(rank["rank"]) or {}
            yield {
                "run": run.id,
                "name": run.name,
                "position": run.position,
                "seed": run.seed,
                **of_epoch,
                "rank": rank["rank"],
                "worker": replica.get("workerName"),
                "backend": replica.get("backend"),
                "share": replica.get("share"),
                **_flat(rank),
                "epochMeanLoss": epoch["meanLoss"],
            }


def _epochs(run: Run) -> list[Json]:
    if run.epochs is None:
        raise WrongInput(f"run {run.id} is in short form; read it with Client.run")
    return run.epochs


def _flat(rank: Mapping[str, Any]) -> Json:
    """Flattens the figures of a rank, which replace those of the epoch; drops lists."""
    flat: Json = {}
    for name, value in rank.items():
        inner = value if isinstance(value, dict) else {name: value}
        flat |= {key: it for key, it in inner.items() if not isinstance(it, (dict, list))}
    return flat


def _require_not_swept(
    definition: Mapping[str, Any], path: str, settings: Mapping[str, Any]
) -> None:
    matrix = definition.get("matrix")
    swept = list(matrix) if isinstance(matrix, Mapping) and "matrix" not in settings else []
    if path == "seed" and "seeds" in definition and "seeds" not in settings:
        raise WrongInput("setting seed has no effect because the definition sweeps it; set seeds")
    if any(path == it or path.startswith(it + ".") for it in swept):
        raise WrongInput(
            f"setting {path} has no effect because the definition sweeps it; set matrix"
        )


# Tables and charts

_COLUMNS = (
    ("label", "{}"),
    ("seed", "{}"),
    ("state", "{}"),
    ("finalAccuracy", "{:.4f}"),
    ("trainingSeconds", "{:.3g}"),
    ("trainingSpeedup", "{:.3f}"),
    ("communicationSeconds", "{:.3g}"),
    ("bytesSent", "{}"),
)


_GROUP_COLUMNS = (
    ("label", "{}"),
    ("completed", "{}"),
    ("finalAccuracy", "{:.4f}"),
    ("accuracyDifference", "{:+.4f}"),
    ("trainingSeconds", "{:.3g}"),
    ("trainingSpeedup", "{:.3f}"),
)

_RUN_COLUMNS = (
    ("run", "{}"),
    ("state", "{}"),
    ("progress", "{:.0%}"),
    ("testAccuracy", "{:.4f}"),
    ("epochSeconds", "{:.3g}"),
    ("note", "{}"),
    ("id", "{}"),
)

_RUN_FIGURES = {"testAccuracy": "testAccuracy", "testLoss": "testLoss", "trainingLoss": "meanLoss"}
_CURVE_FIGURES = ("testAccuracy", "replicaAccuracy", "testLoss", "trainingLoss")
# The field of a point and the title of the axis, by axis.
_CURVE_AXES = {
    "epoch": ("epoch", "epoch"),
    "seconds": ("seconds", "training seconds"),
    "wallClock": ("wallClockSeconds", "wall-clock seconds"),
    "bytes": ("bytes", "bytes"),
}


def _title(run: Run) -> str:
    """Returns the name that the service gives, which tells a run from the others."""
    return str(run.answer.get("name", f"{run.name} #{run.position + 1}"))


def _shown_row(run: Run) -> Json:
    failure = f"{run.failure[0]}: {run.failure[1]}" if run.failure else None
    shown = {"run": _title(run), "note": failure or run.waiting, "id": run.id}
    return _run_row(run) | shown


def _comparison_tables(comparison: Json) -> Iterator[list[list[str]]]:
    """Yields the table of the runs, and that of the seed groups if one has several runs."""
    yield _cells(_with_compared(_COLUMNS, comparison), rows(comparison))
    if any(len(group["runs"]) > 1 for group in comparison["groups"]):
        yield _cells(_with_compared(_GROUP_COLUMNS, comparison), group_rows(comparison))


def _with_compared(
    columns: Iterable[tuple[str, str]], comparison: Json
) -> Iterator[tuple[str, str]]:
    """Yields the columns, with that of the replicas' accuracy if the definition compares them."""
    for name, form in columns:
        if name == "finalAccuracy" and comparison.get("compared") == "replicas":
            yield "replicaAccuracy", form
        yield name, form


def _cells(columns: Iterable[tuple[str, str]], table: Iterable[Json]) -> list[list[str]]:
    """Returns a table as texts; the first row has the names of the columns."""
    columns = list(columns)
    return [
        [name for name, _ in columns],
        *([_cell(row, name, form) for name, form in columns] for row in table),
    ]


def _cell(row: Json, name: str, form: str) -> str:
    if row.get(name) is None:
        return "-"
    low, high = row.get(f"{name}Low"), row.get(f"{name}High")
    interval = "" if low is None else f" [{form.format(low)}, {form.format(high)}]"
    return form.format(row[name]) + interval


def _text_table(cells: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*cells)]
    lines = ("  ".join(map(str.ljust, line, widths)).rstrip() for line in cells)
    return "\n".join(lines)


def _html_table(cells: Sequence[Sequence[str]]) -> str:
    head, *body = (
        "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row) + "</tr>"
        for tag, row in zip(itertools.chain(["th"], itertools.repeat("td")), cells)
    )
    return f"<table><thead>{head}</thead><tbody>{''.join(body)}</tbody></table>"


@dataclass(frozen=True)
class _Line:
    """A line of a chart; lines of one group have one color."""

    label: str
    group: int
    points: Sequence[tuple[float | None, float | None]]

    @property
    def known(self) -> list[tuple[float, float]]:
        """The points without those whose position or value is unknown."""
        return [
            (x, y) for x, y in self.points if x is not None and y is not None and math.isfinite(y)
        ]


def _require_one_of(name: str, value: str, known: Iterable[str]) -> None:
    if value not in known:
        raise WrongInput(f"{name} must be one of {', '.join(known)}, but was {value!r}")


def _plotted(x: str, y: str, lines: Sequence[_Line], ax: Any) -> Any:
    if ax is None:
        try:
            _, ax = importlib.import_module("matplotlib.pyplot").subplots()
        except ImportError:
            return Chart(_svg(x, y, lines))
    for line in lines:
        known = line.known
        xs, ys = [it[0] for it in known], [it[1] for it in known]
        ax.plot(xs, ys, marker=".", color=f"C{line.group % 10}", label=line.label)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.legend()
    return ax


# Colors of Okabe and Ito, which color-blind people can tell apart.
_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
_LEFT, _RIGHT, _TOP, _BOTTOM, _LEGEND_STEP = 80, 620, 20, 300, 18


def _svg(x: str, y: str, lines: Sequence[_Line]) -> str:
    """Draws lines with axes and a legend below, in pixels."""
    known = [point for line in lines for point in line.known] or [(0, 0)]
    across = _scale([it[0] for it in known], _LEFT, _RIGHT)
    up = _scale([it[1] for it in known], _BOTTOM, _TOP)
    height = _BOTTOM + 60 + _LEGEND_STEP * len(lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" width="640"'
        ' font-family="sans-serif" font-size="12"><rect width="640" height="100%" fill="#fff"/>',
        f'<path d="M{_LEFT} {_TOP}V{_BOTTOM}H{_RIGHT}" fill="none" stroke="#666"/>',
        _svg_text((_LEFT + _RIGHT) / 2, _BOTTOM + 36, x, "middle"),
        _svg_text(8, _TOP - 6, y, "start"),
    ]
    for tick, at in _ticks(across):
        parts.append(_svg_text(at, _BOTTOM + 16, tick, "middle"))
    for tick, at in _ticks(up):
        parts.append(_svg_text(_LEFT - 6, at + 4, tick, "end"))
    for number, line in enumerate(lines):
        color = _COLORS[line.group % len(_COLORS)]
        at = " ".join(f"{across.place(a):.1f},{up.place(b):.1f}" for a, b in line.known)
        parts.append(f'<polyline points="{at}" fill="none" stroke="{color}" stroke-width="2"/>')
        below = _BOTTOM + 56 + _LEGEND_STEP * number
        parts.append(f'<path d="M{_LEFT} {below - 4}h20" stroke="{color}" stroke-width="2"/>')
        parts.append(_svg_text(_LEFT + 26, below, line.label, "start"))
    return "".join([*parts, "</svg>"])


def _svg_text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(text)}</text>'


@dataclass(frozen=True)
class _Scale:
    """A linear scale from values to pixels."""

    low: float
    high: float
    begin: float
    end: float

    def place(self, value: float) -> float:
        """Returns the pixel of a value."""
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)


def _scale(values: Sequence[float], begin: float, end: float) -> _Scale:
    low, high = min(values), max(values)
    margin = 0 if high > low else max(abs(low), 1) / 2
    return _Scale(low - margin, high + margin, begin, end)


def _ticks(scale: _Scale) -> Iterator[tuple[str, float]]:
    """Yields at most six round values of a scale, each with its pixel."""
    span = scale.high - scale.low
    power = 10 ** math.floor(math.log10(span / 5))
    step = next(power * it for it in (1, 2, 5, 10, 20) if span / (power * it) <= 5)
    for number in range(math.ceil(scale.low / step), math.floor(scale.high / step) + 1):
        yield f"{number * step:g}", scale.place(number * step)


# The command line

_ORDERS = {
    "finalAccuracy": "Highest accuracy first",
    "replicaAccuracy": "Highest accuracy of the replicas first",
    "trainingSeconds": "Shortest training first",
    "secondsToTarget": "Shortest time to the target first",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit status, as --help describes it."""
    options = _parser().parse_args(arguments)
    try:
        url = options.service or os.environ.get("EQUIPOISE_URL", "").strip()
        token = os.environ.get("EQUIPOISE_TOKEN", "").strip()
        if not url or not token:
            raise WrongInput(
                "no service is given: set $EQUIPOISE_URL (or --service) and $EQUIPOISE_TOKEN"
            )
        ca = options.ca or _ca_of_environment(url)
        options.command(Client(url, token, ca=ca), options)
        return 0
    except ApiError as rejection:
        wrong = rejection.code in _INPUT_ERRORS
        for reason in (rejection.violations or [rejection.detail]) if wrong else [rejection]:
            print(f"equipoise: {reason}", file=sys.stderr)
        return 2 if wrong else 1
    except (WrongInput, UnicodeDecodeError) as failure:
        print(f"equipoise: {failure}", file=sys.stderr)
        return 2
    except EquipoiseError as failure:
        print(f"equipoise: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("equipoise: interrupted; submitted runs continue at the service", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="Submits runs to an Equipoise service, waits for them and compares them. The"
        " token is $EQUIPOISE_TOKEN.",
        epilog="The exit status is 0; 1 if a run is not completed or the service fails; 2 if the"
        " definition or the command line is wrong.",
    )
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument("--service", metavar="URL", help="the service (default: $EQUIPOISE_URL)")
    parser.add_argument(
        "--ca",
        metavar="FILE",
        help="PEM file with certificate authorities, which alone may then certify an https service"
        " (default: $EQUIPOISE_CA, else those of the system)",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    submit = commands.add_parser("submit", help="submit the runs of a definition; prints their ids")
    submit.add_argument(
        "file", metavar="FILE", help="the definition, YAML or JSON; - is standard input"
    )
    submit.add_argument(
        "--set",
        metavar="PATH=VALUE",
        action="append",
        default=[],
        help="set a field, by its dotted path, to a word or JSON value; for JSON definitions only",
    )
    submit.add_argument("--project", help='name or id (default: the token\'s, else "run")')
    submit.set_defaults(command=_submit)
    wait = commands.add_parser("wait", help="wait until runs have ended")
    wait.add_argument("runs", metavar="RUN", nargs="+")
    wait.add_argument("--timeout", metavar="SECONDS", type=float)
    wait.set_defaults(command=_wait)
    compare = commands.add_parser(
        "compare", help="compare runs; the first is the baseline"
    )
    compare.add_argument("runs", metavar="RUN", nargs="+")
    compare.add_argument("--target", metavar="ACCURACY", type=float)
    compare.add_argument("--csv", action="store_true", help="all figures, as CSV")
    compare.set_defaults(command=_compare)
    return parser


def _submit(client: Client, options: argparse.Namespace) -> None:
    try:
        text = (
            sys.stdin.read()
            if options.file == "-"
            else Path(options.file).read_text(encoding="utf-8")
        )
    except OSError as failure:
        raise WrongInput(f"{options.file} cannot be read: {failure.strerror}") from None
    definition: Definition = text
    if options.set:
        tree = _tree(text)
        if tree is None:
            raise WrongInput(
                "--set needs a definition in JSON, because Python's library does not read YAML"
            )
        definition = override(tree, dict(_setting(it) for it in options.set))
    for run in client.submit(definition, options.project):
        print(run.id)


def _setting(text: str) -> tuple[str, Any]:
    path, equals, value = text.partition("=")
    if equals and path:
        if re.fullmatch(r"(?!(true|false|null)$)[A-Za-z][A-Za-z0-9-]*", value):
            return path, value
        try:
            return path, json.loads(value)
        except ValueError:
            pass
    raise WrongInput(
        f"--set must be a field path, =, and a word or a JSON value, but was {text}"
    )


def _wait(client: Client, options: argparse.Namespace) -> None:
    client.wait(options.runs, lambda line: print(line, flush=True), options.timeout)


def _compare(client: Client, options: argparse.Namespace) -> None:
    if options.csv:
        sys.stdout.write(client.compare_csv(options.runs, options.target))
        return
    comparison = client.compare(options.runs, options.target)
    runs, *groups = _comparison_tables(comparison)
    print(_text_table(runs))
    for table in groups:
        print()
        print(_text_table(table))
        print("In brackets: the 95 % interval of four seeds or more, or the range of fewer.")
        for line in _order_lines(comparison):
            print(line)


def _order_lines(comparison: Json) -> Iterator[str]:
    """Yields the orders of the groups as far as the service can tell them apart."""
    labels = [group["label"] for group in comparison["groups"]]
    rankings = comparison.get("rankings") or []
    for ranking in rankings:
        places = [
            f"{place}. " + " = ".join(labels[it] for it in tie) + (" (tie)" if len(tie) > 1 else "")
            for place, tie in enumerate(ranking["ties"], 1)
        ]
        if places:
            yield f"{_ORDERS.get(ranking['figure'], ranking['figure'])}: {'; '.join(places)}"
    if any(ranking["unranked"] for ranking in rankings):
        yield "Groups with fewer than four completed seeds, or without the figure, are not ranked."


if __name__ == "__main__":
    sys.exit(main())
