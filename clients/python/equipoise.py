#!/usr/bin/env python3
"""A client of Equipoise's HTTP API, in one file and of the standard library alone.

    client = Client.from_environment()            # $EQUIPOISE_URL, $EQUIPOISE_TOKEN
    runs = client.wait(client.submit(Path("experiment.yaml")))
    comparison = client.compare(runs, target=0.9)
    frame = pandas.DataFrame(rows(comparison))

Answers are told as they come: where this file has no type for one, it is the service's JSON as
dicts and lists, with the service's names. Python 3.11 or newer; a client may be used by one thread
at a time.
"""

from __future__ import annotations

import argparse
import copy
import http.client
import itertools
import json
import os
import re
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

__all__ = [
    "ApiError",
    "Client",
    "EquipoiseError",
    "NoAnswer",
    "Progress",
    "Run",
    "RunFailed",
    "Violation",
    "WaitTimedOut",
    "WrongInput",
    "override",
    "rows",
]

Json = dict[str, Any]
_Read = TypeVar("_Read")
Say = Callable[[str], object]

_API = "/api/v1/"
_DEFAULT_PROJECT = "run"
_EVENTS = "text/event-stream"
_LONGEST_LIST = 500
_PASSING = frozenset({502, 503, 504})
_TOO_OFTEN = "rate-limited"
_KEEPING_NOTHING = frozenset({"experiments/validate", "plans"})
_OVER = frozenset({"COMPLETED", "FAILED", "CANCELLED"})
_USERS_FAULT = frozenset({"invalid-definition", "malformed-body", "invalid-request"})

# Seconds.
_SHORTEST_PAUSE = 0.5
_LONGEST_PAUSE = 16.0
_LONGEST_LOOK = 5.0
_WAITING_PATIENCE = 300.0


class EquipoiseError(Exception):
    """Whatever this client raises on purpose."""


class WrongInput(EquipoiseError, ValueError):
    """What the caller gave breaks a rule of the client; nothing was sent."""


class NoAnswer(EquipoiseError):
    """The service did not answer, or with something that is no answer of it."""


@dataclass(frozen=True)
class Violation:
    """A broken rule, and its place: a JSON pointer, or ?name of a query parameter."""

    pointer: str
    rule: str
    value: Any = None

    def __str__(self) -> str:
        was = (
            "" if self.value is None else f", but was {json.dumps(self.value, ensure_ascii=False)}"
        )
        return f"{self.pointer} {self.rule}{was}".strip()


class ApiError(EquipoiseError):
    """What the service would not do, and why (application/problem+json).

    status is that of HTTP; code is the service's word for the rule ("" where something between
    refused), detail its sentence, violations are the broken rules with their places.
    """

    def __init__(
        self,
        request: str,
        status: int,
        code: str,
        detail: str,
        violations: Sequence[Violation] = (),
    ) -> None:
        self.request = request
        self.status = status
        self.code = code
        self.detail = detail
        self.violations = tuple(violations)
        super().__init__(request, status, code, detail, self.violations)

    def __str__(self) -> str:
        reasons = "; ".join(str(violation) for violation in self.violations)
        sentence = f"{self.request} was refused: {self.status} {self.code}".rstrip()
        return ": ".join(part for part in (sentence, self.detail, reasons) if part)


class RunFailed(EquipoiseError):
    """Runs ended without being completed.

    failed are those, runs all that were waited for; code and message are the first one's, a
    cancelled run's code being "cancelled".
    """

    def __init__(self, failed: Sequence[Run], runs: Sequence[Run]) -> None:
        self.failed = tuple(failed)
        self.runs = tuple(runs)
        self.code, self.message = failed[0].failure or ("cancelled", "the run was cancelled")
        super().__init__(self.failed, self.runs)

    def __str__(self) -> str:
        ends = "; ".join(f"run {run.id}: {_end(run)}" for run in self.failed)
        return f"{len(self.failed)} of {len(self.runs)} runs did not complete: {ends}"


class WaitTimedOut(EquipoiseError, TimeoutError):
    """Runs were not over in time; they go on at the service. open are those."""

    def __init__(self, seconds: float, open_runs: Sequence[Run]) -> None:
        self.seconds = seconds
        self.open = tuple(open_runs)
        super().__init__(seconds, self.open)

    def __str__(self) -> str:
        names = ", ".join(f"{run.id} ({run.state})" for run in self.open)
        return f"{len(self.open)} runs were not over after {self.seconds:g} s and go on: {names}"


@dataclass(frozen=True)
class Progress:
    """How far a run is; fraction is of all its epochs, 0 to 1."""

    epoch: int
    epochs: int
    round: int
    rounds: int
    fraction: float


@dataclass(frozen=True)
class Run:
    """A run as the service told of it at one moment.

    epochs is None where it was told in short, as lists and submissions do; `Client.run` has them.
    answer is the whole of what was told.
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
    answer: Json = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, answer: Json) -> Run:
        """Reads a run, told in short or in full."""
        progress = answer["progress"]
        failure = answer.get("failure")
        configuration = answer.get("configuration") or {}
        return cls(
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
            answer=answer,
        )

    @property
    def is_over(self) -> bool:
        """Whether it is completed, failed or cancelled."""
        return self.state in _OVER

    @property
    def is_completed(self) -> bool:
        """Whether it came to the end that it was meant to have."""
        return self.state == "COMPLETED"


Definition = Mapping[str, Any] | str | os.PathLike[str]
SomeRun = Run | str


class Client:
    """Speaks with one service, as one caller.

    What is asked is asked again, with back-off, for `patience` seconds where the service cannot be
    reached, is asked too often, or something before it answers 502, 503 or 504: what makes or changes something under
    the same Idempotency-Key, so that the service does it once. `timeout`
    is in seconds and for each wait on the network, not for a whole answer; an answer of more than
    `max_bytes` is refused. Redirects are not followed, as they would carry the token elsewhere.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
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
        self._opener = urllib.request.build_opener(_NoRedirect)

    @classmethod
    def from_environment(cls, **settings: Any) -> Client:
        """The service at $EQUIPOISE_URL, with $EQUIPOISE_TOKEN."""
        values = {name: os.environ.get(name, "") for name in ("EQUIPOISE_URL", "EQUIPOISE_TOKEN")}
        for name, value in values.items():
            if not value.strip():
                raise WrongInput(f"the environment must have {name}")
        return cls(values["EQUIPOISE_URL"].strip(), values["EQUIPOISE_TOKEN"].strip(), **settings)

    def __repr__(self) -> str:
        return f"Client({self._base!r})"

    def __getstate__(self) -> object:
        raise TypeError("a client holds a token and must not be pickled")

    # Experiments and runs

    def validate(self, definition: Definition) -> list[Json]:
        """The configurations of the runs that a definition stands for; nothing is kept.

        A definition is a dict, YAML or JSON as text, or a Path to a file of it; a str is never
        taken for the name of a file.
        """
        resolved = self._post("experiments/validate", _document(definition))
        configurations: list[Json] = resolved["configurations"]
        return configurations

    def submit(self, definition: Definition, project: str | None = None) -> list[Run]:
        """Checks a definition, keeps it as an experiment and submits all its runs.

        Nothing is kept where the definition breaks a rule. A project is named by its id or its
        name, and made where there is none of that name; without one it is the token's, else the
        one called "run".
        """
        document = _document(definition)
        self._post("experiments/validate", document)
        experiment = self._post(f"projects/{self._project(project)}/experiments", document)
        submitted = self._post(f"experiments/{experiment['id']}/runs", None)
        return [Run.of(item) for item in submitted["items"]]

    def experiment(self, experiment: str, version: int | None = None) -> Json:
        """An experiment with its definition and configurations, at its newest version or another."""
        query = "" if version is None else f"?version={version:d}"
        return self._get(f"experiments/{_experiment(experiment)}{query}")

    def redefine(self, experiment: str, definition: Definition, seen: int | None = None) -> Json:
        """Gives an experiment another definition of the same name, which is its next version.

        Its runs stay what they are. Where seen is given, the version that the change is made to,
        ApiError with the code precondition-failed (412) says that somebody else was quicker.
        """
        path = f"experiments/{_experiment(experiment)}"
        return self._put(path, _document(definition), None if seen is None else f'"{seen:d}"')

    def remove_experiment(self, experiment: str) -> None:
        """Forgets an experiment with all its versions.

        ApiError with the code has-runs (409) says that runs came from it: they go first.
        """
        path = f"experiments/{_experiment(experiment)}"
        self._asked(lambda: self._send("DELETE", path, None))

    def run(self, run: SomeRun) -> Run:
        """A run as it is now, with all its epochs so far."""
        return Run.of(self._get(f"runs/{_id(run)}"))

    def runs(
        self,
        experiment: str | None = None,
        project: str | None = None,
        states: Iterable[str] = (),
        limit: int = 100,
        name: str | None = None,
        sort: str | None = None,
    ) -> list[Run]:
        """Runs in short, the newest first, or by a field of ``sort`` ("-testAccuracy": the best).

        Those of an experiment or a project, by ids, or of experiments with ``name`` in their names;
        as many pages are read as ``limit`` runs need.
        """
        query = [("experiment", experiment), ("project", project), ("name", name), ("sort", sort)]
        chosen = [(key, value) for key, value in query if value is not None]
        chosen += [("state", state) for state in states]
        return [Run.of(item) for item in itertools.islice(self._listed("runs", chosen, limit), limit)]

    def cancel(self, run: SomeRun) -> Run:
        """Cancels a run; ApiError with the code illegal-state where it is over already."""
        return Run.of(self._post(f"runs/{_id(run)}/cancel", None))

    def wait(
        self,
        runs: SomeRun | Iterable[SomeRun],
        progress: Say | None = print,
        timeout: float | None = None,
        check: bool = True,
    ) -> list[Run]:
        """Waits until all runs are over, and returns them in full, in the order given.

        progress gets a line whenever a run's state or epoch changes, and every tenth of a run. It
        waits through five minutes without an answer. After timeout seconds it raises WaitTimedOut.
        Unless check is False it raises RunFailed where a run is not completed, once all are over.
        Interrupted or not, it cancels nothing.
        """
        told = _Told(progress)
        begun = self._clock()
        latest = {_id(run): self._patiently(f"runs/{_id(run)}", progress) for run in _several(runs)}
        for run in latest.values():
            told.of(run)
        pause = _SHORTEST_PAUSE
        while open_runs := [run for run in latest.values() if not run.is_over]:
            self._rest(pause, begun, timeout, open_runs)
            pause = min(pause * 1.5, _LONGEST_LOOK)
            for run in self._look(open_runs, progress):
                latest[run.id] = run
                if told.of(run):
                    pause = _SHORTEST_PAUSE
        finished = [
            run if run.epochs is not None else self._patiently(f"runs/{run.id}", progress)
            for run in latest.values()
        ]
        return _checked(finished) if check else finished

    def stream(
        self,
        run: SomeRun,
        after: int = 0,
        timeout: float | None = None,
        check: bool = True,
    ) -> Iterator[Json]:
        """Yields what happens to a run, from an event's id on, until the run is over.

        Each has "id", "at" and "event", whose "type" says what it is, as docs/api.md has them. Where
        the connection is lost it goes on behind the last event, through five minutes without an
        answer, so that none is missing or comes twice. Raises as `wait` does.
        """
        path = f"runs/{_id(run)}"
        patience = max(self._patience, _WAITING_PATIENCE)
        begun = self._clock()
        while (answer := self._asked(lambda: self._listen(path, after), patience)) is not None:
            with answer:
                for event in _events(answer):
                    if event is not None:
                        after = event["id"]
                        yield event
                    if timeout is not None and self._clock() - begun >= timeout:
                        raise WaitTimedOut(timeout, [self._patiently(path, None)])
            self._sleep(_SHORTEST_PAUSE)
        if check:
            _checked([self._patiently(path, None)])

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
        """Which curves a run has; or one metric's curves of at most 20 runs, a row a stretch.

        A row has "run", "rank" (None where the metric is of the run as a whole), "metric" and the
        fields of a stretch, as docs/api.md has them. x is step, epoch, seconds, samples or bytes;
        first and last cut it, both included.
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
        """What happened to a run so far, line by line: "at", "rank" (None: the service), "text"."""
        return self._listed(f"runs/{_id(run)}/log", [], sys.maxsize)

    def order(self, run: SomeRun) -> Iterator[Json]:
        """What chance decided in a completed run that said record: true, part after part."""
        after: int | None = 0
        while after is not None:
            part = self._get(f"runs/{_id(run)}/order?after={after}")
            yield from part["items"]
            following: int | None = part["next"]
            if following is not None and following <= after:
                raise NoAnswer(f"after {after} a later part must follow, but was {following}")
            after = following

    # Comparisons, plans, presets

    def compare(self, runs: SomeRun | Iterable[SomeRun], target: float | None = None) -> Json:
        """At most 100 runs side by side, the first being the baseline; target is an accuracy."""
        return self._get(_comparison(runs, target))

    def compare_csv(self, runs: SomeRun | Iterable[SomeRun], target: float | None = None) -> str:
        """The same as the service's CSV: a row a group, then one a run."""
        return self._read(_comparison(runs, target) + "&format=csv").decode()

    def plan(
        self,
        definition: Definition,
        workers: Sequence[Mapping[str, Any]] | None = None,
        link: Mapping[str, Any] | None = None,
        target: float | None = None,
    ) -> Json:
        """What the runs of a definition would take, and what would be faster.

        workers and link are to imagine, as docs/planning.md has them; else they are the lab's.
        ApiError with the code busy (503) says that too many plans wait.
        """
        beside = {"workers": workers, "link": link, "target": target}
        return self._post("plans", _plan_document(definition, beside))

    def presets(self) -> list[Json]:
        """The presets that come with the service, their scales and the published figures."""
        items: list[Json] = self._get("presets")["items"]
        return items

    def preset(self, name: str, scale: str | None = None) -> Json:
        """A preset; each of its "definitions" can be submitted. Without a scale, the usual one."""
        query = "" if scale is None else "?" + urllib.parse.urlencode({"scale": scale})
        return self._get(f"presets/{urllib.parse.quote(name, safe='')}{query}")

    # Elsewhere

    def bundle(self, experiment: str) -> bytes:
        """The study of an experiment whose runs are over, in one zip for another lab."""
        return self._read(f"experiments/{_experiment(experiment)}/bundle")

    def take_bundle(self, bundle: bytes, project: str | None = None) -> Json:
        """The experiment that is made of a bundle, the one that there is where it was before."""
        path = f"projects/{self._project(project)}/bundles"
        return self._post(path, _Document("application/zip", bundle))

    def imported(self, experiment: str) -> Json:
        """What the other lab measured, of an experiment that was made of a bundle; all its runs."""
        path = f"experiments/{_experiment(experiment)}/imported?limit={_LONGEST_LIST}"
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
        """Tells an MLflow tracking server of an experiment whose runs are over.

        Returns the ids that the server gave to the runs. An experiment of the same name there gets
        the runs as well. headers go with every request, such as an Authorization of that server.
        Nothing is sent twice, as the server would keep figures twice: where it fails in between,
        the runs so far stay there.
        """
        lines = self._read(f"experiments/{_experiment(experiment)}/mlflow").decode().splitlines()
        server = _MlflowServer(tracking_uri, dict(headers or {}), self._timeout)
        return server.told([json.loads(line) for line in lines])

    # What is asked

    def _project(self, wanted: str | None) -> str:
        if wanted is None:
            own: list[str] = list(self._get("me")["projects"])
            if len(own) == 1:
                return own[0]
            wanted = _DEFAULT_PROJECT
        if _is_uuid(wanted):
            return wanted
        listed = self._listed("projects", [], sys.maxsize)
        known = [project["id"] for project in listed if project["name"] == wanted]
        made: str = known[0] if known else self._post("projects", _json({"name": wanted}))["id"]
        return made

    def _look(self, runs: Sequence[Run], say: Say | None) -> Iterator[Run]:
        """By experiment and in short, as whole runs may be long; those not listed one by one."""
        for experiment in dict.fromkeys(run.experiment for run in runs):
            path = f"runs?limit={_LONGEST_LIST}&experiment={experiment}"
            answer = self._get(path, max(self._patience, _WAITING_PATIENCE), say)
            listed = {item["id"]: Run.of(item) for item in answer["items"]}
            for run in runs:
                if run.experiment == experiment:
                    yield listed.get(run.id) or self._patiently(f"runs/{run.id}", say)

    def _patiently(self, path: str, say: Say | None) -> Run:
        return Run.of(self._get(path, max(self._patience, _WAITING_PATIENCE), say))

    def _rest(
        self, pause: float, begun: float, timeout: float | None, open_runs: Sequence[Run]
    ) -> None:
        if timeout is not None:
            left = begun + timeout - self._clock()
            if left <= 0:
                raise WaitTimedOut(timeout, open_runs)
            pause = min(pause, left)
        self._sleep(pause)

    # How it is asked

    def _listed(self, path: str, query: list[tuple[str, str]], limit: int) -> Iterator[Json]:
        """The items of a list, page by page as they are needed."""
        page = [*query, ("limit", str(min(limit, _LONGEST_LIST)))]
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
        return self._asked(lambda: self._send("GET", path, None), patience, say)

    def _post(self, path: str, document: _Document | None) -> Json:
        body = document or _Document("", b"")
        key = None if path in _KEEPING_NOTHING else str(uuid.uuid4())
        return _parsed("POST", path, self._asked(lambda: self._send("POST", path, body, key)))

    def _put(self, path: str, document: _Document, seen: str | None) -> Json:
        headers = {} if seen is None else {"If-Match": seen}
        return _parsed(
            "PUT", path, self._asked(lambda: self._send("PUT", path, document, headers=headers))
        )

    def _asked(
        self, ask: Callable[[], _Read], patience: float | None = None, say: Say | None = None
    ) -> _Read:
        patience = self._patience if patience is None else patience
        begun = self._clock()
        pause = _SHORTEST_PAUSE
        while True:
            try:
                return ask()
            except (NoAnswer, ApiError) as failure:
                passing = (
                    not isinstance(failure, ApiError)
                    or failure.status in _PASSING
                    or failure.code == _TOO_OFTEN
                )
                if not passing or self._clock() - begun + pause > patience:
                    raise
                if say is not None and pause == _SHORTEST_PAUSE:
                    say(f"{failure}; it is asked again for {patience:g} s")
            self._sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

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
        doubt = "" if key is None else "; it may have been done all the same"
        return self._answered(name, request, lambda it: self._bounded(name, it), doubt)

    def _listen(self, path: str, after: int) -> http.client.HTTPResponse | None:
        """What happens to a run after an event; None where nothing will, as it is over."""
        name = f"GET {_API}{path}/events"
        request = self._request("GET", path + "/events", _EVENTS + ", application/problem+json")
        request.add_header("Last-Event-ID", str(after))
        answer = self._answered(name, request, lambda it: it)
        if answer.status == 204:
            answer.close()
            return None
        return answer

    def _request(self, method: str, path: str, accepted: str) -> urllib.request.Request:
        request = urllib.request.Request(self._base + _API + path, method=method)
        request.add_unredirected_header("Authorization", "Bearer " + self._token)
        request.add_header("Accept", accepted)
        return request

    def _answered(
        self,
        name: str,
        request: urllib.request.Request,
        read: Callable[[http.client.HTTPResponse], _Read],
        doubt: str = "",
    ) -> _Read:
        try:
            return read(self._opener.open(request, timeout=self._timeout))
        except urllib.error.HTTPError as refusal:
            with refusal:
                problem = self._problem(name, refusal)
        except ssl.SSLCertVerificationError as failure:
            raise self._no_certificate(failure) from None
        except (OSError, http.client.HTTPException) as failure:
            reason = getattr(failure, "reason", None) or failure
            if isinstance(reason, ssl.SSLCertVerificationError):
                raise self._no_certificate(reason) from None
            text = self._hidden(str(reason) or type(reason).__name__)
            raise NoAnswer(f"{name} had no answer of {self._base}: {text}{doubt}") from None
        raise problem

    def _no_certificate(self, failure: ssl.SSLCertVerificationError) -> WrongInput:
        return WrongInput(
            f"the certificate of {self._base} is not trusted: {failure.verify_message}"
        )

    def _bounded(self, name: str, response: http.client.HTTPResponse) -> bytes:
        with response:
            body = response.read(self._max_bytes + 1)
            if len(body) > self._max_bytes:
                raise EquipoiseError(
                    f"the answer to {name} must have at most {self._max_bytes} bytes"
                )
            if response.length:
                raise http.client.IncompleteRead(body, response.length)
            return body

    def _problem(self, name: str, refusal: urllib.error.HTTPError) -> ApiError:
        try:
            text = refusal.read(self._max_bytes).decode(errors="replace")
            problem = json.loads(self._hidden(text))
        except (ValueError, OSError, http.client.HTTPException):
            problem = None
        if not isinstance(problem, dict):
            return ApiError(name, refusal.code, "", str(refusal.reason))
        violations = [
            Violation(str(it.get("pointer", "")), str(it.get("rule", "")), it.get("value"))
            for it in problem.get("errors") or []
            if isinstance(it, dict)
        ]
        detail = " ".join(str(problem.get("detail") or problem.get("title") or "").split())
        return ApiError(name, refusal.code, str(problem.get("code") or ""), detail, violations)

    def _hidden(self, text: str) -> str:
        return text.replace(self._token, "***")


def rows(source: Mapping[str, Any] | Run | Iterable[Run]) -> list[Json]:
    """Flat dicts, as pandas.DataFrame takes them.

    Of a comparison there is one a run, with the names of the service's CSV: ratios such as
    trainingSpeedup are to the first run. Of runs, told in full, there is one an epoch and rank.
    What is not known is None.
    """
    if isinstance(source, Mapping):
        if "runs" not in source or "baseline" not in source:
            raise WrongInput("rows must be of a comparison or of runs")
        return [_comparison_row(run) for run in source["runs"]]
    if isinstance(source, Run):
        return list(_epoch_rows(source))
    return [row for run in source for row in _epoch_rows(run)]


def override(definition: Mapping[str, Any], settings: Mapping[str, Any]) -> Json:
    """A definition with fields set by their dotted paths, such as training.epochs.

    A short form on the way, as in partitioning: functional, is written out. Refused is a field that
    the definition sweeps, as setting it would mean nothing.
    """
    result: Json = copy.deepcopy(dict(definition))
    for path, value in settings.items():
        _require_not_swept(definition, path, settings)
        *parents, last = path.split(".")
        if not all((*parents, last)):
            raise WrongInput(f"a field must be set by its dotted path, but was {path!r}")
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
    """An MLflow tracking server, to which calls are sent in their order."""

    _CREATED = "/api/2.0/mlflow/experiments/create"
    _BY_NAME = "/api/2.0/mlflow/experiments/get-by-name?"

    def __init__(self, uri: str, headers: Mapping[str, str], timeout: float) -> None:
        if not re.match(r"https?://[^\s?#]+$", uri):
            raise WrongInput(f"the tracking server must be http(s)://HOST[:PORT], but was {uri!r}")
        self._uri = uri.rstrip("/")
        self._headers = headers
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirect)

    def told(self, calls: Iterable[Json]) -> list[str]:
        """Sends the calls with the server's ids in place of what stands for them."""
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
        except ApiError as refusal:
            if path != self._CREATED or refusal.code != "RESOURCE_ALREADY_EXISTS":
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
                answer = json.loads(response.read() or b"{}")
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise _refused_by_mlflow(name, refusal) from None
        except (OSError, ValueError, http.client.HTTPException) as failure:
            reason = getattr(failure, "reason", None) or failure
            raise NoAnswer(f"{name} had no answer of the tracking server: {reason}") from None
        if not isinstance(answer, dict):
            raise NoAnswer(f"the answer to {name} must be a JSON object")
        return answer


def _refused_by_mlflow(name: str, refusal: urllib.error.HTTPError) -> ApiError:
    try:
        told = json.loads(refusal.read())
    except (OSError, ValueError, http.client.HTTPException):
        told = {}
    told = told if isinstance(told, dict) else {}
    code, message = str(told.get("error_code", "")), str(told.get("message", refusal.reason))
    return ApiError(name, refusal.code, code, message)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments: Any, **more: Any) -> None:
        return None


class _Told:
    """Lines of progress; what has not changed is not told again."""

    def __init__(self, say: Say | None) -> None:
        self._say = say
        self._last: dict[str, object] = {}
        self._simulated: set[str] = set()

    def of(self, run: Run) -> bool:
        """Tells of a run; whether there was something new."""
        execution = (run.answer.get("configuration") or {}).get("execution") or {}
        if execution.get("kind", "real") != "real":
            self._simulated.add(run.id)
        now = (run.state, run.waiting, run.progress.epoch, int(run.progress.fraction * 10))
        if self._last.get(run.id) == now:
            return False
        self._last[run.id] = now
        if self._say is not None:
            self._say(f"{run.name} {run.position + 1}, seed {run.seed}: {self._note(run)}")
        return True

    def _note(self, run: Run) -> str:
        parts = [_end(run)]
        if not run.is_over and run.state != "QUEUED":
            parts.append(f"epoch {run.progress.epoch} of {run.progress.epochs}")
        parts += [run.waiting] if run.waiting else []
        parts += [f"accuracy {run.test_accuracy:.4f}"] if run.test_accuracy is not None else []
        left = self._seconds_left(run)
        parts += [f"{left:.0f} s left"] if left is not None else []
        return ", ".join(parts)

    def _seconds_left(self, run: Run) -> float | None:
        """By the epochs so far, else by the prediction; the clock of a simulated run is another."""
        epoch = run.epoch_seconds if run.epoch_seconds is not None else run.predicted_epoch_seconds
        if run.is_over or run.state == "QUEUED" or epoch is None or run.id in self._simulated:
            return None
        return (1 - run.progress.fraction) * run.progress.epochs * epoch


def _end(run: Run) -> str:
    if run.failure is not None:
        return f"failed with {run.failure[0]}: {run.failure[1]}"
    return run.state.lower()


def _checked(runs: list[Run]) -> list[Run]:
    failed = [run for run in runs if not run.is_completed]
    if failed:
        raise RunFailed(failed, runs)
    return runs


def _base(url: str) -> str:
    rule = "the service must be named as http://HOST:PORT or https://HOST:PORT"
    try:
        parts = urllib.parse.urlsplit(url)
        parts.port  # noqa: B018 - reading it checks it
    except ValueError:
        raise WrongInput(rule) from None
    if parts.username is not None or parts.password is not None:
        raise WrongInput(f"{rule}, without a user or a password")
    plain = not parts.query and not parts.fragment and parts.path in ("", "/")
    if (
        parts.scheme not in ("http", "https")
        or not parts.hostname
        or not plain
        or re.search(r"\s", url)
    ):
        raise WrongInput(f"{rule}, but was {url!r}")
    return f"{parts.scheme}://{parts.netloc}"


def _checked_token(token: str) -> str:
    """What http.client would say of a bad header has the header in it."""
    if not re.fullmatch(r"[\x21-\x7e]+", token):
        raise WrongInput("the token must be of visible ASCII characters, and not empty")
    return token


def _several(runs: SomeRun | Iterable[SomeRun]) -> list[SomeRun]:
    several = [runs] if isinstance(runs, (Run, str)) else list(runs)
    if not several:
        raise WrongInput("there must be at least one run")
    return several


def _is_uuid(text: str) -> bool:
    return re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", text) is not None


def _id(run: SomeRun) -> str:
    name = run.id if isinstance(run, Run) else run
    if not _is_uuid(name):
        raise WrongInput(f"a run must be named by its id, but was {name!r}")
    return str(uuid.UUID(name))


def _experiment(name: str) -> str:
    if not _is_uuid(name):
        raise WrongInput(f"an experiment must be named by its id, but was {name!r}")
    return str(uuid.UUID(name))


def _comparison(runs: SomeRun | Iterable[SomeRun], target: float | None) -> str:
    query = "comparisons?runs=" + ",".join(_id(run) for run in _several(runs))
    return query if target is None else f"{query}&target={float(target)}"


def _json(value: object) -> _Document:
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError) as failure:
        raise WrongInput(f"a definition must be of JSON's values: {failure}") from None
    return _Document("application/json", text.encode())


def _document(definition: Definition) -> _Document:
    if isinstance(definition, Mapping):
        return _json(dict(definition))
    text = _text(definition)
    return _Document(
        "application/yaml" if _tree(text) is None else "application/json", text.encode()
    )


def _plan_document(definition: Definition, beside: Mapping[str, Any]) -> _Document:
    told = {name: value for name, value in beside.items() if value is not None}
    if isinstance(definition, Mapping):
        return _json({"definition": dict(definition), **told})
    text = _text(definition)
    tree = _tree(text)
    if tree is not None:
        return _json({"definition": tree, **told})
    lines = [line for line in text.splitlines() if line.rstrip() not in ("---", "...")]
    around = [f"{name}: {_json(value).body.decode()}" for name, value in told.items()]
    body = "\n".join([*around, "definition:", *("  " + line for line in lines), ""])
    return _Document("application/yaml", body.encode())


def _text(definition: str | os.PathLike[str]) -> str:
    return (
        definition if isinstance(definition, str) else Path(definition).read_text(encoding="utf-8")
    )


def _tree(text: str) -> Json | None:
    """What a text says as JSON; None where it is no JSON object, and so to be read as YAML."""
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
        raise NoAnswer(f"the answer to {method} {_API}{place} must be a JSON object")
    return answer


def _events(answer: http.client.HTTPResponse) -> Iterator[Json | None]:
    """The events of a stream, up to where it ends or is lost; None for a sign of life.

    What is about the stream itself has no id, and is passed over.
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
    """Empty where there is no more, for whatever reason."""
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


def _comparison_row(run: Mapping[str, Any]) -> Json:
    ratios = run.get("ratios") or {}
    return {
        "run": run["run"],
        "label": run["label"],
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
        **{name: ratios.get(ratio) for ratio, name in _RATIOS.items()},
    }


def _epoch_rows(run: Run) -> Iterator[Json]:
    if run.epochs is None:
        raise WrongInput(f"run {run.id} must be told in full, as by Client.run, but was in short")
    replicas = {replica["rank"]: replica for replica in run.answer.get("replicas") or []}
    for epoch in run.epochs:
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
                "share": replica.get("share"),
                **_flat(rank),
                "epochMeanLoss": epoch["meanLoss"],
            }


def _flat(rank: Mapping[str, Any]) -> Json:
    """A rank's own figures win over those of the epoch; lists have no place in a row."""
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
        raise WrongInput("setting seed would mean nothing, as the definition sweeps it; set seeds")
    if any(path == it or path.startswith(it + ".") for it in swept):
        raise WrongInput(
            f"setting {path} would mean nothing, as the definition sweeps it; set matrix"
        )


# The command line

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


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; its exit status, as --help tells them."""
    options = _parser().parse_args(arguments)
    try:
        url = options.service or os.environ.get("EQUIPOISE_URL", "").strip()
        token = os.environ.get("EQUIPOISE_TOKEN", "").strip()
        if not url or not token:
            raise WrongInput(
                "the service must be told: $EQUIPOISE_URL (or --service) and $EQUIPOISE_TOKEN"
            )
        options.command(Client(url, token), options)
        return 0
    except ApiError as refusal:
        wrong = refusal.code in _USERS_FAULT
        for reason in (refusal.violations or [refusal.detail]) if wrong else [refusal]:
            print(f"equipoise: {reason}", file=sys.stderr)
        return 2 if wrong else 1
    except (WrongInput, UnicodeDecodeError) as failure:
        print(f"equipoise: {failure}", file=sys.stderr)
        return 2
    except EquipoiseError as failure:
        print(f"equipoise: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("equipoise: interrupted; what was submitted goes on at the service", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="equipoise.py",
        description="Submits runs to an Equipoise service, waits for them and compares them. The"
        " token is $EQUIPOISE_TOKEN.",
        epilog="The exit status is 0; 1 where a run is not completed or the service fails; 2 where"
        " the definition or the command line is wrong.",
    )
    parser.add_argument("--service", metavar="URL", help="the service (default: $EQUIPOISE_URL)")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    submit = commands.add_parser("submit", help="submit the runs of a definition; tells their ids")
    submit.add_argument(
        "file", metavar="FILE", help="the definition, YAML or JSON; - is standard input"
    )
    submit.add_argument(
        "--set",
        metavar="PATH=VALUE",
        action="append",
        default=[],
        help="set a field, by its dotted path, to a word or a JSON value; of JSON definitions alone",
    )
    submit.add_argument("--project", help='name or id (default: the token\'s, else "run")')
    submit.set_defaults(command=_submit)
    wait = commands.add_parser("wait", help="wait until runs are over")
    wait.add_argument("runs", metavar="RUN", nargs="+")
    wait.add_argument("--timeout", metavar="SECONDS", type=float)
    wait.set_defaults(command=_wait)
    compare = commands.add_parser(
        "compare", help="lay runs side by side; the first is the baseline"
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
                "--set needs a definition in JSON: Python has no reader of YAML of its own"
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
        f"--set must be the path of a field, =, and a word or a JSON value, but was {text}"
    )


def _wait(client: Client, options: argparse.Namespace) -> None:
    client.wait(options.runs, lambda line: print(line, flush=True), options.timeout)


def _compare(client: Client, options: argparse.Namespace) -> None:
    if options.csv:
        sys.stdout.write(client.compare_csv(options.runs, options.target))
        return
    compared = rows(client.compare(options.runs, options.target))
    lines = [[name for name, _ in _COLUMNS]]
    lines += [
        ["-" if row.get(name) is None else form.format(row[name]) for name, form in _COLUMNS]
        for row in compared
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_COLUMNS))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


if __name__ == "__main__":
    sys.exit(main())
