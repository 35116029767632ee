"""Tests the client against a small server that plays responses in the formats of the service."""

from __future__ import annotations

import base64
import contextlib
import copy
import datetime
import hashlib
import importlib
import io
import json
import os
import pickle
import re
import shutil
import ssl
import struct
import subprocess
import tempfile
import threading
import traceback
import unittest
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from unittest import mock

import equipoise
from equipoise import (
    ApiError,
    Client,
    EquipoiseError,
    NoAnswer,
    RunFailed,
    WaitTimedOut,
    WrongInput,
    group_rows,
    override,
    rows,
)

TOKEN = "eqp_a-secret"
RUN = "48da13c9-5467-47f3-a916-018a09888fc7"
OTHER = "d7f69fc6-2c60-414e-b0b7-8bbca6d270f5"
EXPERIMENT = "7ad80f00-937f-4c68-8ab2-890ba78d011a"
EVENTS = f"GET runs/{RUN}/events"
PROJECT = "3dd14938-dad3-4b51-ae4d-e28d9589e033"


@dataclass(frozen=True)
class Answer:
    """A response to play; cut is the number of bytes at its end that are never sent (None: all)."""

    body: Any
    status: int = 200
    type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    cut: int | None = 0


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class TestingService:
    """Plays the responses of a path one after the other, and repeats the last one."""

    def __init__(
        self,
        answer: Callable[[Request], Answer] | None = None,
        certificate: ssl.SSLContext | None = None,
    ) -> None:
        self.requests: list[Request] = []
        self._scheme = "https" if certificate else "http"
        self._play = answer or self._answer
        self._answers: dict[tuple[str, str], list[Answer]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        if certificate:
            self._server.socket = certificate.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}"

    def plays(self, request: str, *answers: Any) -> None:
        method, _, path = request.partition(" ")
        self._answers[method, path] = [
            answer if isinstance(answer, Answer) else Answer(answer) for answer in answers
        ]

    def requests_of(self, request: str) -> list[Request]:
        return [it for it in self.requests if f"{it.method} {it.path}" == request]

    def close(self) -> None:
        if not self._thread.is_alive():
            return
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, request: Request) -> Answer:
        self.requests.append(request)
        answers = self._answers.get((request.method, request.path.removeprefix("/api/v1/")))
        if answers is None:
            return problem(404, "not-found", f"no response is defined for {request.path}")
        return answers.pop(0) if len(answers) > 1 else answers[0]

    def _handler(service) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - self is the handler's
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                length = int(self.headers.get("Content-Length", 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                answer = service._play(
                    Request(self.command, self.path, headers, self.rfile.read(length))
                )
                if answer.cut is None:
                    self.close_connection = True
                    return
                body = (
                    answer.body
                    if isinstance(answer.body, bytes)
                    else json.dumps(answer.body).encode()
                )
                self.send_response(answer.status)
                for name, value in (("Content-Type", answer.type), *answer.headers):
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body[: len(body) - answer.cut])

            do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

            def log_message(self, *arguments: Any) -> None:
                pass

        return Handler


class TestingClock:
    """A clock that advances only by sleeping."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.pauses: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds


def problem(status: int, code: str, detail: str, errors: Any = None) -> Answer:
    body = {
        "type": f"urn:equipoise:problem:{code}",
        "title": "Something",
        "status": status,
        "detail": detail,
        "instance": "/api/v1/x",
        "code": code,
    }
    return Answer(body | ({"errors": errors} if errors else {}), status, "application/problem+json")


def event_text(number: int, **event: Any) -> str:
    data = {"id": number, "at": "2026-11-22T19:00:00Z", "event": {"type": "state"} | event}
    return f"id: {number}\nevent: state\ndata: {json.dumps(data)}\n\n"


def stream(*parts: str) -> Answer:
    return Answer("".join(("retry: 1000\n\n", *parts)).encode(), type="text/event-stream")


def summary(run: str = RUN, state: str = "QUEUED", epoch: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "id": run,
        "project": PROJECT,
        "experiment": EXPERIMENT,
        "experimentName": "probe",
        "position": 0,
        "label": "seed 1",
        "name": "probe: seed 1",
        "state": state,
        "partitioning": {"kind": "equal"},
        "seed": 1,
        "waiting": None,
        "failure": None,
        "prediction": None,
        "epochSeconds": None,
        "testAccuracy": None,
        "testLoss": None,
        "replicasIdentical": None,
        "progress": {"epoch": epoch, "epochs": 2, "round": 5, "rounds": 5, "fraction": epoch / 2},
        "queuedAt": "2026-11-22T18:59:59.488147Z",
        "startedAt": None,
        "endedAt": None,
    } | more


def epoch_view(number: int) -> dict[str, Any]:
    ranks = [
        {
            "rank": rank,
            "samples": 250,
            "computeSeconds": 0.01 * (rank + 1),
            "encodeSeconds": 0.0,
            "transferSeconds": 0.011,
            "waitSeconds": 0.0,
            "applySeconds": 0.002,
            "hiddenSeconds": 0.0,
            "wallSeconds": 0.032,
            "bytesSent": 8143592,
            "traffic": {
                "gradientBytes": 8143240,
                "weightBytes": 0,
                "controlBytes": 352,
                "frames": 76,
            },
            "updates": {"steps": 5, "learningRate": 0.1, "staleness": [], "greatestStaleness": 0},
            "meanLoss": 2.25 - rank / 2,
            "ownAccuracy": 0.5,
            "ownLoss": 1.8,
            "parameters": "5d141691901c9a23",
        }
        for rank in range(2)
    ]
    return {
        "epoch": number,
        "epochSeconds": 0.036,
        "testAccuracy": 0.5274,
        "testLoss": 1.8,
        "meanLoss": 2.0,
        "replicasIdentical": True,
        "distance": {"absolute": 0.0, "relative": 0.0},
        "ranks": ranks,
    }


def full(run: str = RUN, state: str = "QUEUED", epoch: int = 0, **more: Any) -> dict[str, Any]:
    short = summary(run, state, epoch)
    del short["seed"], short["partitioning"]
    return (
        short
        | {
            "configuration": {"seed": 1, "execution": {"kind": "real"}},
            "generation": 1,
            "rounds": 5,
            "validation": None,
            "replicas": [
                {
                    "rank": rank,
                    "worker": RUN,
                    "workerName": f"w{rank}",
                    "share": 250,
                    "batch": [50, 50],
                }
                for rank in range(2)
            ],
            "hybrid": None,
            "batchCounts": None,
            "epochs": [epoch_view(number + 1) for number in range(epoch)],
            "times": None,
        }
        | more
    )


COMPARISON = {
    "baseline": RUN,
    "target": None,
    "runs": [
        {
            "run": RUN,
            "name": "seed 1",
            "label": "probe",
            "group": 0,
            "state": "COMPLETED",
            "partitioning": {"kind": "equal"},
            "seed": 1,
            "shares": [250, 250],
            "predictedEpochSeconds": None,
            "epochSeconds": 0.098,
            "predictionError": None,
            "testAccuracy": 0.5904,
            "testLoss": 1.7,
            "replicasIdentical": True,
            "speedup": 1.0,
            "figures": {
                "finalAccuracy": 0.5904,
                "secondsToTarget": None,
                "trainingSeconds": 0.098,
                "bytesSent": 16287032,
            },
            "elapsedSeconds": 0.198,
            "phases": {"trainingSeconds": 0.098, "evaluationSeconds": 0.1},
            "ratios": {"timeToTarget": None, "trainingTime": 1.0, "bytesSent": 1.0},
            "ranks": [],
            "curve": [],
        },
        {
            "run": OTHER,
            "name": "seed 2",
            "label": "probe",
            "group": 0,
            "state": "FAILED",
            "partitioning": {"kind": "equal"},
            "seed": 2,
            "shares": [],
            "predictedEpochSeconds": None,
            "epochSeconds": None,
            "predictionError": None,
            "testAccuracy": None,
            "testLoss": None,
            "replicasIdentical": None,
            "speedup": None,
            "figures": {
                "finalAccuracy": None,
                "secondsToTarget": None,
                "trainingSeconds": None,
                "bytesSent": None,
            },
            "elapsedSeconds": None,
            "phases": None,
            "ratios": None,
            "ranks": [],
            "curve": [],
        },
    ],
    "groups": [],
}


def estimate(count: int, mean: float, low: float | None, high: float | None, kind: str) -> Any:
    return {"count": count, "mean": mean, "low": low, "high": high, "interval": kind, "points": []}


GROUPS = [
    {
        "label": "ring",
        "runs": [RUN, OTHER],
        "completed": 2,
        "reached": 0,
        "figures": {
            "finalAccuracy": estimate(2, 0.75, 0.5, 1, "range"),
            "trainingSeconds": estimate(2, 8, 7, 9, "range"),
            "secondsToTarget": None,
        },
        "ratios": {"trainingTime": 1},
        "ratioEstimates": None,
        "accuracyDifference": None,
        "commonSeeds": [],
    },
    {
        "label": "tree",
        "runs": [RUN],
        "completed": 1,
        "reached": 0,
        "figures": {"trainingSeconds": estimate(1, 4, None, None, "none")},
        "ratios": {"trainingTime": 2},
        "ratioEstimates": {"trainingTime": estimate(2, 2, 1.5, 2.5, "range")},
        "accuracyDifference": estimate(2, -0.25, -0.5, 0, "range"),
        "commonSeeds": [1],
    },
]

RANKINGS = [
    {"figure": "finalAccuracy", "ties": [[1, 0]], "unranked": []},
    {"figure": "trainingSeconds", "ties": [[1], [0]], "unranked": []},
    {"figure": "secondsToTarget", "ties": [], "unranked": [0, 1]},
]

LIST = f"GET runs?limit=500&experiment={EXPERIMENT}"


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        environment = mock.patch.dict(os.environ, no_proxy="127.0.0.1")
        environment.start()
        self.addCleanup(environment.stop)
        self.service = TestingService()
        self.addCleanup(self.service.close)
        self.clock = TestingClock()
        self.lines: list[str] = []
        self.client = self.client_of(self.service.url)

    def client_of(self, url: str, **settings: Any) -> Client:
        return Client(url, TOKEN, sleep=self.clock.sleep, clock=self.clock, timeout=5, **settings)

    def raised(self, kind: type[BaseException], action: Callable[[], object]) -> Any:
        """Returns the raised error, and checks that no text of it or its causes has the token."""
        with self.assertRaises(kind) as caught:
            action()
        error = caught.exception
        text = "".join(traceback.format_exception(error)) + repr(error) + repr(error.args)
        self.assertNotIn(TOKEN, text)
        return error


class AddressTest(ClientTest):
    def test_rejects_invalid_service_urls(self) -> None:
        for url in (
            "file:///etc/passwd",
            "ftp://host",
            "host:8080",
            "",
            "http://",
            "http://h/a/../b",
            "http://h//a",
            "http://h/a%2fb",
            "http://h?x=1",
            "http://h:port",
            "http://h x",
            f"http://me:{TOKEN}@h",
            f"http://{TOKEN}@h",
        ):
            with self.subTest(url):
                self.raised(WrongInput, lambda: Client(url, TOKEN))

    def test_shows_the_rejected_url_without_secrets(self) -> None:
        rule = "the URL of the service must be http://HOST:PORT or https://HOST/PATH, but "
        only = "give only scheme, host, port and path"
        for url, found in (
            ("http://h/..", f"was 'http://h/..': {only}"),
            (f"http://h?token={TOKEN}", f"was 'http://...': {only}"),
            (f"http://h?a=b@{TOKEN}", f"was 'http://...': {only}"),
            (f"http://h?next=http://{TOKEN}", f"was 'http://...': {only}"),
            (f"{TOKEN}@h://", f"was '...': {only}"),
            (f"http://h#{TOKEN}", f"was 'http://...': {only}"),
            (
                f"http://me:{TOKEN}@h",
                "was 'http://...': leave out user and password, and pass the token to Client",
            ),
            (f"http://me:a/{TOKEN}@h", "its host or its port is invalid"),
            (f"http://me:{TOKEN}%40h", "its host or its port is invalid"),
            (f"http://me:{TOKEN}", "its host or its port is invalid"),
            (f"http://me\uff1a{TOKEN}\uff20h/", "its host or its port is invalid"),
        ):
            with self.subTest(url):
                error = self.raised(WrongInput, lambda: Client(url, TOKEN))
                self.assertEqual(rule + found, str(error))

    def test_calls_a_service_below_a_path(self) -> None:
        self.service.plays("GET /shared/equipoise/api/v1/presets", {"items": []})
        for path in ("/shared/equipoise", "/shared/equipoise/"):
            with self.subTest(path):
                self.assertEqual([], self.client_of(self.service.url + path).presets())

    def test_rejects_files_that_are_no_authorities(self) -> None:
        for url, ca, reason in (
            ("http://h", "ca.pem", "ca applies to an https service, but the service was http://h"),
            (
                "https://h",
                "/no/ca.pem",
                "cannot use the certificate authorities of /no/ca.pem: No such file or directory",
            ),
            ("https://h", __file__, f"cannot use the certificate authorities of {__file__}: "),
        ):
            with self.subTest(ca):
                error = self.raised(WrongInput, lambda: self.client_of(url, ca=ca))
                self.assertTrue(str(error).startswith(reason), error)

    def test_says_which_character_of_a_token_is_invalid(self) -> None:
        error = self.raised(WrongInput, lambda: Client("http://h", TOKEN + "\n"))
        self.assertEqual(
            "the token must consist of visible ASCII characters, but character 13 of 13 is"
            " U+000A: copy it again, without spaces and line ends",
            str(error),
        )

    def test_rejects_an_invalid_token_without_printing_it(self) -> None:
        for token in ("", TOKEN + "\n", TOKEN + " ", TOKEN + "\u00e9"):
            self.raised(WrongInput, lambda: Client("http://h", token))

    def test_never_prints_the_token(self) -> None:
        self.assertEqual(f"Client('{self.service.url}')", repr(self.client))
        self.assertNotIn(TOKEN, str(self.client))
        self.raised(TypeError, lambda: pickle.dumps(self.client))

    def test_reads_the_environment(self) -> None:
        self.service.plays("GET presets", {"items": []})
        with mock.patch.dict(
            os.environ,
            EQUIPOISE_URL=self.service.url + "/",
            EQUIPOISE_TOKEN=TOKEN,
            EQUIPOISE_CA="/of/services/with/a/certificate.pem",
        ):
            self.assertEqual([], Client.from_environment().presets())
        self.assertEqual(f"Bearer {TOKEN}", self.service.requests[0].headers["authorization"])
        with mock.patch.dict(os.environ, EQUIPOISE_URL=self.service.url, EQUIPOISE_TOKEN=""):
            self.assertIn("EQUIPOISE_TOKEN", str(self.raised(WrongInput, Client.from_environment)))


class EncryptedTest(ClientTest):
    """Calls a service whose certificate is for 127.0.0.1 alone."""

    @classmethod
    def setUpClass(cls) -> None:
        if shutil.which("openssl") is None:
            raise unittest.SkipTest("openssl is not installed; Debian's package is openssl")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
        cls.openssl(
            f"req -x509 {key} -days 99 -subj /CN=authority -addext keyUsage=critical,keyCertSign"
            " -keyout ca-key.pem -out ca.pem"
        )
        cls.openssl(f"req -new {key} -subj /CN=service -keyout key.pem -out service.csr")
        (cls.folder / "names").write_text(
            "subjectAltName=IP:127.0.0.1\nauthorityKeyIdentifier=keyid\n"
        )
        cls.openssl(
            "x509 -req -in service.csr -CA ca.pem -CAkey ca-key.pem -set_serial 1 -days 99"
            " -extfile names -out service.pem"
        )

    @classmethod
    def openssl(cls, arguments: str) -> None:
        command = ["openssl", *arguments.split()]
        ended = subprocess.run(command, cwd=cls.folder, capture_output=True, text=True)
        if ended.returncode != 0:
            raise AssertionError(f"{command}: {ended.stderr}")

    def setUp(self) -> None:
        super().setUp()
        certificate = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificate.load_cert_chain(self.folder / "service.pem", self.folder / "key.pem")
        self.encrypted = TestingService(certificate=certificate)
        self.addCleanup(self.encrypted.close)
        self.encrypted.plays("GET presets", {"items": []})
        self.ca = self.folder / "ca.pem"

    def test_trusts_the_authorities_of_a_file(self) -> None:
        self.assertEqual([], self.client_of(self.encrypted.url, ca=self.ca).presets())

    def test_reads_the_file_of_the_environment(self) -> None:
        environment = {
            "EQUIPOISE_URL": self.encrypted.url,
            "EQUIPOISE_TOKEN": TOKEN,
            "EQUIPOISE_CA": str(self.ca),
        }
        with mock.patch.dict(os.environ, environment):
            self.assertEqual([], Client.from_environment().presets())

    def test_trusts_no_other_authority(self) -> None:
        error = self.raised(WrongInput, self.client_of(self.encrypted.url).presets)
        self.assertRegex(
            str(error),
            f"^the certificate of {re.escape(self.encrypted.url)} is not trusted: .+;"
            " ca names a file with the certificate of its authority$",
        )
        self.assertEqual([], self.encrypted.requests)

    def test_accepts_no_certificate_of_another_host(self) -> None:
        url = self.encrypted.url.replace("127.0.0.1", "localhost")
        with mock.patch.dict(os.environ, no_proxy="localhost"):
            error = self.raised(WrongInput, self.client_of(url, ca=self.ca).presets)
        self.assertEqual(
            f"the certificate of {url} is not trusted: Hostname mismatch, certificate is not valid"
            " for 'localhost'",
            str(error),
        )


class ErrorTest(ClientTest):
    def test_lists_every_broken_rule_with_its_place(self) -> None:
        self.service.plays(
            "POST experiments/validate",
            problem(
                400,
                "invalid-definition",
                "2 rules\n are broken",
                [
                    {
                        "pointer": "/training/epochs",
                        "rule": "must be a whole number",
                        "value": "zero",
                    },
                    {"pointer": "/network/preset", "rule": "must be given", "value": None},
                ],
            ),
        )

        error = self.raised(ApiError, lambda: self.client.submit({}))

        self.assertEqual(
            (400, "invalid-definition", "2 rules are broken"),
            (error.status, error.code, error.detail),
        )
        self.assertEqual(
            ("/training/epochs", "zero"), (error.violations[0].pointer, error.violations[0].value)
        )
        self.assertEqual(
            "POST /api/v1/experiments/validate was rejected: 400 invalid-definition:"
            ' /training/epochs must be a whole number, but was "zero"; /network/preset must be given',
            str(error),
        )
        self.assertEqual(1, len(self.service.requests))

    def test_redacts_the_token_in_responses(self) -> None:
        self.service.plays("GET presets", problem(401, "unauthenticated", f"{TOKEN} is not known"))
        self.assertEqual("*** is not known", self.raised(ApiError, self.client.presets).detail)

    def test_reports_a_rejection_without_problem_details(self) -> None:
        for body in (b"<html>", b"[1]", b"\xff\xfe", b""):
            self.service.plays("GET presets", Answer(body, 403, "text/html"))
            error = self.raised(ApiError, self.client.presets)
            self.assertEqual((403, "", ()), (error.status, error.code, error.violations))

    def test_follows_no_redirect(self) -> None:
        elsewhere = TestingService()
        self.addCleanup(elsewhere.close)
        self.service.plays("GET presets", Answer({}, 302, headers=(("Location", elsewhere.url),)))
        self.assertEqual(302, self.raised(ApiError, self.client.presets).status)
        self.assertEqual([], elsewhere.requests)

    def test_stops_reading_at_the_limit(self) -> None:
        self.service.plays("GET presets", Answer(b" " * 400, cut=200))
        client = self.client_of(self.service.url, max_bytes=100)
        error = self.raised(EquipoiseError, client.presets)
        self.assertEqual(
            "the response to GET /api/v1/presets must have at most 100 bytes", str(error)
        )

    def test_rejects_responses_that_are_no_json_object(self) -> None:
        for body, kind in (
            (b"<html>", "6 bytes that are not JSON"),
            (b"[]", "a JSON array"),
            (b"[" * 100_000 + b"]" * 100_000, "JSON that is nested too deeply"),
        ):
            self.service.plays("GET presets", Answer(body))
            error = self.raised(NoAnswer, self.client.presets)
            self.assertEqual(
                f"the response to GET /api/v1/presets must be a JSON object, but was {kind}:"
                " check that the URL is that of the service",
                str(error),
            )


class RetryTest(ClientTest):
    def test_retries_with_growing_pauses(self) -> None:
        away = [Answer(b"", status, "text/plain") for status in (502, 503, 504)]
        self.service.plays("GET presets", *away, {"items": [1]})
        self.assertEqual([1], self.client.presets())
        self.assertEqual([0.5, 1, 2], self.clock.pauses)

    def test_retries_after_a_broken_connection(self) -> None:
        self.service.plays(
            "GET presets", Answer({}, cut=None), Answer({"items": []}, cut=3), {"items": [1]}
        )
        self.assertEqual([1], self.client.presets())

    def test_gives_up_after_its_patience(self) -> None:
        closed = TestingService()
        closed.close()
        error = self.raised(NoAnswer, self.client_of(closed.url, patience=10).presets)
        self.assertIn(closed.url, str(error))
        self.assertLessEqual(sum(self.clock.pauses), 10)

    def test_does_not_retry_rejected_requests(self) -> None:
        for status in (400, 401, 404, 409, 500):
            self.service.plays(f"GET presets/{status}", problem(status, "x", "y"))
            self.raised(ApiError, lambda: self.client.preset(str(status)))
        self.assertEqual(5, len(self.service.requests))
        self.assertEqual([], self.clock.pauses)

    def test_retries_a_post_with_the_same_key(self) -> None:
        made = {"items": [], "id": PROJECT}
        self.service.plays("POST projects", Answer({}, cut=None), problem(503, "", ""), made)
        self.service.plays("GET projects?limit=500", {"items": []})
        self.assertEqual(PROJECT, self.client._project("new"))
        posts = self.service.requests_of("POST /api/v1/projects")
        keys = {it.headers["idempotency-key"] for it in posts}
        self.assertEqual(3, len(posts))
        self.assertEqual(1, len(keys))
        self.assertRegex(keys.pop(), "^[0-9a-f-]{36}$")

    def test_has_a_new_key_for_each_post(self) -> None:
        self.service.plays("GET projects?limit=500", {"items": []})
        self.service.plays("POST projects", {"id": PROJECT})
        self.client._project("one")
        self.client._project("two")
        asked = self.service.requests_of("POST /api/v1/projects")
        self.assertEqual(2, len({it.headers["idempotency-key"] for it in asked}))

    def test_sends_no_key_for_requests_without_effect(self) -> None:
        self.service.plays("POST plans", problem(503, "busy", "too many wait"), {"ranking": []})
        self.assertEqual({"ranking": []}, self.client.plan({}))
        self.assertEqual(2, len(self.service.requests))
        self.assertNotIn("idempotency-key", self.service.requests[0].headers)

    def test_waits_as_long_as_the_service_asks(self) -> None:
        for headers, seconds in (
            ((("Retry-After", "7"), ("RateLimit", '"user";r=0;t=9')), 7),
            ((("RateLimit", '"user";r=0;t=9'),), 9),
            ((("Retry-After", "Wed, 21 Oct 2026 07:28:00 GMT"),), 0.5),
            ((("Retry-After", "0"),), 0.5),
            ((), 0.5),
        ):
            with self.subTest(headers):
                limited = replace(problem(429, "rate-limited", "too many"), headers=headers)
                self.service.plays("GET presets", limited, {"items": []})
                self.clock.pauses.clear()
                self.client.presets()
                self.assertEqual([seconds], self.clock.pauses)

    def test_does_not_wait_longer_than_its_patience(self) -> None:
        limited = replace(
            problem(429, "rate-limited", "too many"), headers=(("Retry-After", "16"),)
        )
        self.service.plays("GET presets", limited)
        error = self.raised(ApiError, self.client.presets)
        self.assertEqual((16, []), (error.retry_after, self.clock.pauses))
        self.assertEqual(16, pickle.loads(pickle.dumps(error)).retry_after)

    def test_says_that_a_request_without_answer_may_have_been_executed(self) -> None:
        self.service.plays("GET projects?limit=500", {"items": []})
        self.service.plays("POST projects", Answer({}, cut=None))
        error = self.raised(NoAnswer, lambda: self.client._project("new"))
        self.assertIn("the service may have executed it", str(error))


class DefinitionTest(ClientTest):
    def sent(self, definition: equipoise.Definition) -> tuple[str, str]:
        self.service.plays("POST experiments/validate", {"configurations": [{"seed": 1}]})
        self.assertEqual([{"seed": 1}], self.client.validate(definition))
        request = self.service.requests[-1]
        return request.headers["content-type"], request.body.decode()

    def test_sends_each_definition_with_its_media_type(self) -> None:
        self.assertEqual(("application/json", '{"name": "\u00e9"}'), self.sent({"name": "\u00e9"}))
        self.assertEqual(("application/json", ' {"name": 1}'), self.sent(' {"name": 1}'))
        for text in ("name: x\n", "{name: x}", "x", '{"name": '):
            self.assertEqual(("application/yaml", text), self.sent(text))

    def test_reads_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "experiment.yaml")
            file.write_text("name: x\n", encoding="utf-8")
            self.assertEqual(("application/yaml", "name: x\n"), self.sent(file))

    def test_returns_the_schema_of_definitions(self) -> None:
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}
        self.service.plays(
            "GET schema/definition", Answer(schema, type="application/schema+json")
        )
        self.assertEqual(schema, self.client.schema())
        self.assertIn("application/schema+json", self.service.requests[0].headers["accept"])

    def test_rejects_values_that_json_lacks(self) -> None:
        for value in (float("nan"), object()):
            self.raised(WrongInput, lambda: self.client.validate({"x": value}))
        self.assertEqual([], self.service.requests)

    def test_wraps_definitions_of_plans(self) -> None:
        self.service.plays("POST plans", {"ranking": []})
        self.client.plan({"name": "x"}, target=0.9)
        self.client.plan('{"name": "x"}', workers=[{"name": "a"}])
        self.client.plan("---\nname: x\nworkers:\n  replicas: 2\n", link={"megabytesPerSecond": 50})
        json_of_dict, json_of_text, yaml = self.service.requests
        self.assertEqual(
            {"definition": {"name": "x"}, "target": 0.9}, json.loads(json_of_dict.body)
        )
        self.assertEqual(
            {"definition": {"name": "x"}, "workers": [{"name": "a"}]}, json.loads(json_of_text.body)
        )
        self.assertEqual("application/yaml", yaml.headers["content-type"])
        self.assertEqual(
            'link: {"megabytesPerSecond": 50}\n'
            "definition:\n  name: x\n  workers:\n    replicas: 2\n",
            yaml.body.decode(),
        )

    def test_sets_fields_by_their_paths(self) -> None:
        definition = {"training": {"epochs": 1}, "partitioning": "functional"}
        changed = override(definition, {"training.epochs": 2, "partitioning.x": 3, "a.b": [4]})
        self.assertEqual(
            {
                "training": {"epochs": 2},
                "partitioning": {"kind": "functional", "x": 3},
                "a": {"b": [4]},
            },
            changed,
        )
        self.assertEqual({"training": {"epochs": 1}, "partitioning": "functional"}, definition)

    def test_rejects_setting_swept_fields(self) -> None:
        swept = {"matrix": {"topology": ["a"]}, "seeds": [1]}
        for path in ("seed", "topology", "topology.kind", "a..b", ""):
            self.raised(WrongInput, lambda: override(swept, {path: 1}))
        self.assertEqual([2], override(swept, {"seeds": [2]})["seeds"])


class SubmissionTest(ClientTest):
    def setUp(self) -> None:
        super().setUp()
        self.service.plays("POST experiments/validate", {"configurations": [{}]})
        self.service.plays(
            "GET me", {"name": "a", "administrator": False, "projects": {PROJECT: "editor"}}
        )
        self.service.plays(f"POST projects/{PROJECT}/experiments", {"id": EXPERIMENT})
        self.service.plays(
            f"POST experiments/{EXPERIMENT}/runs", Answer({"items": [summary()]}, 202)
        )

    def asked(self) -> list[str]:
        return [f"{it.method} {it.path.removeprefix('/api/v1/')}" for it in self.service.requests]

    def test_submits_into_the_project_of_the_token(self) -> None:
        (run,) = self.client.submit("name: x")
        self.assertEqual((RUN, "QUEUED", 1, None), (run.id, run.state, run.seed, run.epochs))
        self.assertEqual(
            [
                "POST experiments/validate",
                "GET me",
                f"POST projects/{PROJECT}/experiments",
                f"POST experiments/{EXPERIMENT}/runs",
            ],
            self.asked(),
        )

    def test_creates_a_missing_project(self) -> None:
        self.service.plays("GET me", {"name": "a", "administrator": True, "projects": {}})
        self.service.plays("GET projects?limit=500", {"items": [{"id": OTHER, "name": "other"}]})
        self.service.plays("POST projects", Answer({"id": PROJECT, "name": "run"}, 201))
        self.client.submit({})
        self.assertIn("POST projects", self.asked())

    def test_finds_a_project_by_its_name_or_its_id(self) -> None:
        self.service.plays("GET projects?limit=500", {"items": [{"id": PROJECT, "name": "mine"}]})
        self.client.submit({}, project="mine")
        self.client.submit({}, project=PROJECT)
        self.client.submit({}, project=equipoise.Project(PROJECT, "mine", "editor"))
        self.assertEqual(3, self.asked().count(f"POST projects/{PROJECT}/experiments"))
        self.assertNotIn("POST projects", self.asked())


class WaitingTest(ClientTest):
    def test_waits_to_the_end_and_reports_changes(self) -> None:
        queued: dict[str, Any] = {"waiting": {"code": "workers", "message": "2 workers are wanted"}}
        self.service.plays(f"GET runs/{RUN}", full(**queued), full(state="COMPLETED", epoch=2))
        running = summary(state="RUNNING", epoch=1, epochSeconds=8.0, testAccuracy=0.5)
        self.service.plays(
            LIST,
            {"items": [summary(**queued)]},
            {"items": [running]},
            {"items": [running]},
            {"items": [summary(state="COMPLETED", epoch=2, testAccuracy=0.75)]},
        )

        (run,) = self.client.wait(RUN, self.lines.append)

        self.assertTrue(run.is_completed)
        self.assertEqual([1, 2], [epoch["epoch"] for epoch in run.epochs or []])
        self.assertEqual(
            [
                "probe: seed 1: queued, 2 workers are wanted",
                "probe: seed 1: running, epoch 1 of 2, accuracy 0.5000, 8 s left",
                "probe: seed 1: completed, accuracy 0.7500",
            ],
            self.lines,
        )
        self.assertEqual(4, len(self.clock.pauses))

    def test_polls_less_often_without_changes(self) -> None:
        self.service.plays(f"GET runs/{RUN}", full())
        self.service.plays(LIST, {"items": [summary()]})
        error = self.raised(WaitTimedOut, lambda: self.client.wait([RUN], None, timeout=60))
        self.assertIsInstance(error, TimeoutError)
        self.assertEqual([RUN], [run.id for run in error.open])
        self.assertEqual(60, sum(self.clock.pauses))
        self.assertEqual((0.5, 5.0), (self.clock.pauses[0], max(self.clock.pauses)))

    def test_reads_a_run_that_is_not_listed(self) -> None:
        self.service.plays(f"GET runs/{RUN}", full(), full(state="COMPLETED", epoch=2))
        self.service.plays(LIST, {"items": []})
        self.assertTrue(self.client.wait(RUN, None)[0].is_completed)

    def test_shows_no_time_left_on_a_virtual_clock(self) -> None:
        virtual: dict[str, Any] = {
            "configuration": {"seed": 1, "execution": {"kind": "virtual"}},
            "epochSeconds": 8.0,
        }
        self.service.plays(
            f"GET runs/{RUN}",
            full(state="RUNNING", epoch=1, **virtual),
            full(state="COMPLETED", epoch=2),
        )
        self.service.plays(LIST, {"items": [summary(state="COMPLETED", epoch=2)]})
        self.client.wait(RUN, self.lines.append)
        self.assertEqual("probe: seed 1: running, epoch 1 of 2", self.lines[0])

    def test_retries_while_waiting_and_says_so(self) -> None:
        gone = [Answer(b"", 503, "text/plain")] * 8
        self.service.plays(f"GET runs/{RUN}", *gone, full(state="COMPLETED", epoch=2))
        self.client.wait(RUN, self.lines.append)
        self.assertIn("retrying for 300 s", self.lines[0])
        self.assertEqual(2, len(self.lines))

    def test_reports_failed_runs_once_all_have_ended(self) -> None:
        failure = {"cause": "worker", "code": "worker-lost", "message": "w1 is silent"}
        self.service.plays(f"GET runs/{RUN}", full(state="FAILED", failure=failure))
        self.service.plays(f"GET runs/{OTHER}", full(OTHER), full(OTHER, "CANCELLED"))
        self.service.plays(LIST, {"items": [summary(OTHER, "CANCELLED")]})

        error = self.raised(RunFailed, lambda: self.client.wait([RUN, OTHER], self.lines.append))

        self.assertEqual(("worker-lost", "w1 is silent"), (error.code, error.message))
        self.assertEqual([RUN, OTHER], [run.id for run in error.failed])
        self.assertEqual(
            f"2 of 2 runs did not complete: run {RUN}: failed with worker-lost: w1 is silent;"
            f" run {OTHER}: cancelled",
            str(error),
        )
        self.assertEqual(
            ["FAILED", "CANCELLED"],
            [it.state for it in self.client.wait([RUN, OTHER], None, check=False)],
        )

    def test_rejects_invalid_run_ids(self) -> None:
        for runs in ([], "../tokens", [""]):
            self.raised(WrongInput, lambda: self.client.wait(runs))
        self.assertEqual([], self.service.requests)

    def test_streams_events_until_the_run_has_ended(self) -> None:
        self.service.plays(
            EVENTS,
            stream(
                event_text(3, state="QUEUED"), ": heartbeat\n\n", event_text(5, state="RUNNING")
            ),
            stream(event_text(9, state="COMPLETED")),
            Answer(b"", 204),
        )
        self.service.plays(f"GET runs/{RUN}", full(state="COMPLETED", epoch=2))

        self.assertEqual([3, 5, 9], [event["id"] for event in self.client.stream(RUN)])

        asked = self.service.requests_of(f"GET /api/v1/runs/{RUN}/events")
        self.assertEqual(["0", "5", "9"], [it.headers["last-event-id"] for it in asked])
        self.assertIn("text/event-stream", asked[0].headers["accept"])

    def test_a_stream_cut_in_an_event_resumes_before_it(self) -> None:
        whole = stream(event_text(3, state="QUEUED"), event_text(5, state="RUNNING"))
        self.service.plays(
            EVENTS,
            replace(whole, cut=10),
            Answer(b"", 503, "text/plain"),
            stream("event: forgotten\ndata: {}\n\n", event_text(5, state="RUNNING")),
            Answer(b"", 204),
        )
        self.service.plays(f"GET runs/{RUN}", full(state="COMPLETED", epoch=2))

        self.assertEqual([3, 5], [event["id"] for event in self.client.stream(RUN)])

        asked = self.service.requests_of(f"GET /api/v1/runs/{RUN}/events")
        self.assertEqual(["0", "3", "3", "5"], [it.headers["last-event-id"] for it in asked])

    def test_streams_the_events_of_a_failed_run(self) -> None:
        failure = {"cause": "user", "code": "diverged", "message": "not finite"}
        self.service.plays(f"GET runs/{RUN}", full(state="FAILED", epoch=1, failure=failure))
        self.service.plays(EVENTS, stream(event_text(4, state="FAILED")), Answer(b"", 204))
        seen: list[int] = []
        self.raised(RunFailed, lambda: seen.extend(it["id"] for it in self.client.stream(RUN)))
        self.assertEqual([4], seen)
        self.assertEqual([], list(self.client.stream(RUN, after=4, check=False)))

    def test_a_stream_ends_at_its_timeout(self) -> None:
        self.service.plays(EVENTS, stream(": heartbeat\n\n"))
        self.service.plays(f"GET runs/{RUN}", full(state="RUNNING", epoch=1))
        error = self.raised(WaitTimedOut, lambda: list(self.client.stream(RUN, timeout=3)))
        self.assertEqual([RUN], [run.id for run in error.open])

    def test_a_rejected_stream_is_not_retried(self) -> None:
        self.service.plays(EVENTS, problem(429, "too-many-streams", "128 are read"))
        error = self.raised(ApiError, lambda: list(self.client.stream(RUN)))
        self.assertEqual("too-many-streams", error.code)
        self.assertEqual(1, len(self.service.requests))


class MetricTest(ClientTest):
    def test_lists_metrics(self) -> None:
        metric = {"name": "train/loss", "rank": 0, "points": 7, "lastStep": 7}
        self.service.plays(f"GET runs/{RUN}/metrics", {"items": [metric], "droppedPoints": 0})
        self.assertEqual([{"run": RUN} | metric], self.client.metrics(RUN))

    def test_curves_are_rows(self) -> None:
        bucket = {"from": 1, "to": 3, "firstX": 1, "lastX": 2, "last": 0.5, "count": 2}
        self.service.plays(
            f"GET curves?run={RUN}&run={OTHER}&name=train%2Floss&x=seconds&buckets=9"
            "&rank=1&from=0.5&to=2.0",
            {"items": [{"run": RUN, "rank": 1, "buckets": [bucket, bucket]}]},
        )
        rows_of = self.client.metrics(
            [RUN, OTHER], "train/loss", [1], "seconds", first=0.5, last=2, buckets=9
        )
        self.assertEqual([{"run": RUN, "rank": 1, "metric": "train/loss"} | bucket] * 2, rows_of)


class ListTest(ClientTest):
    def test_lists_as_many_runs_as_requested(self) -> None:
        self.service.plays(
            f"GET runs?experiment={EXPERIMENT}&state=FAILED&state=CANCELLED&limit=2",
            {"items": [summary(OTHER), summary()], "next": "more"},
        )
        listed = self.client.runs(experiment=EXPERIMENT, states=["FAILED", "CANCELLED"], limit=2)
        self.assertEqual([OTHER, RUN], [run.id for run in listed])

    def test_retries_after_a_rate_limit(self) -> None:
        self.service.plays(
            f"GET runs/{RUN}", problem(429, "rate-limited", "try again in 1 s"), summary()
        )
        self.assertEqual(RUN, self.client.run(RUN).id)

    def test_reads_as_many_pages_as_it_needs(self) -> None:
        first, rest = "GET runs?sort=-testAccuracy&limit=500", "&cursor=a%3Db"
        self.service.plays(first, {"items": [summary(OTHER)], "next": "a=b"})
        self.service.plays(first + rest, {"items": [summary()], "next": None})
        listed = self.client.runs(sort="-testAccuracy", limit=1000)
        self.assertEqual([OTHER, RUN], [run.id for run in listed])

    def test_reads_an_execution_order_part_by_part(self) -> None:
        self.service.plays(
            f"GET runs/{RUN}/order?after=0", {"items": [{"rank": 0}, {"rank": 1}], "next": 7}
        )
        self.service.plays(f"GET runs/{RUN}/order?after=7", {"items": [{"rank": 2}], "next": None})
        self.assertEqual([0, 1, 2], [it["rank"] for it in self.client.order(RUN)])

    def test_rejects_an_execution_order_that_does_not_advance(self) -> None:
        self.service.plays(f"GET runs/{RUN}/order?after=0", {"items": [], "next": 0})
        self.raised(NoAnswer, lambda: list(self.client.order(RUN)))

    def test_asks_for_presets_by_name_and_scale(self) -> None:
        self.service.plays("GET presets/a%2Fb?scale=s+t", {"name": "a/b"})
        self.assertEqual({"name": "a/b"}, self.client.preset("a/b", "s t"))

    def test_tells_the_version_of_the_service(self) -> None:
        versions = {"version": "0.1.0", "protocol": "0.2"}
        self.service.plays("GET version", versions)
        self.assertEqual(versions, self.client.version())

    def test_lists_workers_with_their_versions(self) -> None:
        first, rest = "GET workers?state=IDLE&state=BUSY&limit=500", "&cursor=b"
        self.service.plays(first, {"items": [{"protocolVersion": "0.2"}], "next": "b"})
        self.service.plays(first + rest, {"items": [{"protocolVersion": "0.1"}], "next": None})
        workers = self.client.workers(["IDLE", "BUSY"])
        self.assertEqual(["0.2", "0.1"], [it["protocolVersion"] for it in workers])

    def test_redefines_the_experiment_it_has_seen(self) -> None:
        noted = {"version": 1, "revision": 4}
        self.service.plays(f"GET experiments/{EXPERIMENT}?version=1", noted)
        self.service.plays(f"PUT experiments/{EXPERIMENT}", {"version": 2})
        seen = self.client.experiment(EXPERIMENT, version=1)
        made = self.client.redefine(EXPERIMENT, {"name": "probe"}, seen)
        self.client.redefine(EXPERIMENT, "name: probe")
        self.assertEqual({"version": 2}, made)
        first, second = self.service.requests_of(f"PUT /api/v1/experiments/{EXPERIMENT}")
        self.assertEqual(('"4"', {"name": "probe"}), (first.headers["if-match"], json.loads(first.body)))
        self.assertNotIn("if-match", second.headers)
        self.assertEqual("application/yaml", second.headers["content-type"])

    def test_reads_the_log_page_by_page(self) -> None:
        path = f"GET runs/{RUN}/log?limit=500"
        self.service.plays(path, {"items": [{"text": "is QUEUED"}], "next": "abc"})
        self.service.plays(path + "&cursor=abc", {"items": [{"text": "is FAILED"}], "next": None})
        self.assertEqual(
            ["is QUEUED", "is FAILED"], [line["text"] for line in self.client.log(RUN)]
        )

    def test_removes_experiments(self) -> None:
        self.service.plays(f"DELETE experiments/{EXPERIMENT}", Answer(b"", status=204))
        self.client.remove_experiment(EXPERIMENT)
        deletions = self.service.requests_of(f"DELETE /api/v1/experiments/{EXPERIMENT}")
        self.assertEqual(1, len(deletions))
        with self.assertRaises(WrongInput):
            self.client.remove_experiment("../projects")

    def test_creates_lists_and_revokes_join_tokens(self) -> None:
        self.service.plays("POST join-tokens", {"id": OTHER, "token": "eqj_1", "uses": 20})
        self.service.plays("GET join-tokens?limit=500", {"items": [{"id": OTHER}], "next": None})
        self.service.plays(f"DELETE join-tokens/{OTHER}", Answer(b"", status=204))
        expires = datetime.datetime(2026, 12, 1, tzinfo=datetime.timezone.utc)
        self.assertEqual("eqj_1", self.client.join_token("rack", 20, expires)["token"])
        self.assertEqual([{"id": OTHER}], self.client.join_tokens())
        self.client.revoke_join_token(OTHER)
        sent = self.service.requests_of("POST /api/v1/join-tokens")[0]
        self.assertEqual(
            {"name": "rack", "uses": 20, "expiresAt": "2026-12-01T00:00:00+00:00"},
            json.loads(sent.body),
        )
        self.assertEqual(1, len(self.service.requests_of(f"DELETE /api/v1/join-tokens/{OTHER}")))
        with self.assertRaises(WrongInput):
            self.client.join_token(expires=datetime.datetime(2026, 12, 1))
        with self.assertRaises(WrongInput):
            self.client.revoke_join_token("../tokens")

    def test_lists_and_removes_workers(self) -> None:
        self.service.plays(
            "GET workers?state=LOST&state=LEFT&limit=500", {"items": [{"id": OTHER}], "next": None}
        )
        self.service.plays(f"DELETE workers/{OTHER}", Answer(b"", status=204))
        self.service.plays(f"PATCH workers/{OTHER}", {"id": OTHER, "labels": {"room": "west"}})
        labels = self.client.label_worker(OTHER, {"room": "west", "old": None})["labels"]
        self.assertEqual({"room": "west"}, labels)
        sent = self.service.requests_of(f"PATCH /api/v1/workers/{OTHER}")[0]
        self.assertEqual({"labels": {"room": "west", "old": None}}, json.loads(sent.body))
        self.assertEqual([{"id": OTHER}], self.client.workers(["LOST", "LEFT"]))
        self.client.remove_worker(OTHER)
        self.assertEqual(1, len(self.service.requests_of(f"DELETE /api/v1/workers/{OTHER}")))
        with self.assertRaises(WrongInput):
            self.client.remove_worker("alpha")

    def test_a_repeated_deletion_that_finds_nothing_has_succeeded(self) -> None:
        gone = problem(404, "not-found", "there is none")
        self.service.plays(f"DELETE workers/{OTHER}", Answer(b"", cut=None), gone)
        self.service.plays(f"DELETE join-tokens/{OTHER}", problem(502, "", ""), gone)
        self.client.remove_worker(OTHER)
        self.client.revoke_join_token(OTHER)
        self.assertEqual(2, len(self.service.requests_of(f"DELETE /api/v1/workers/{OTHER}")))

    def test_a_deletion_that_was_not_executed_before_must_find_something(self) -> None:
        gone = problem(404, "not-found", "there is none")
        for answers in ([gone], [problem(429, "rate-limited", "wait"), gone]):
            self.service.plays(f"DELETE workers/{OTHER}", *answers)
            error = self.raised(ApiError, lambda: self.client.remove_worker(OTHER))
            self.assertEqual(404, error.status)

    def test_filters_runs_by_conditions(self) -> None:
        self.service.plays(
            "GET runs?filter=accuracy+%3E+0.9+and+synchronization+%3D+async&limit=100",
            {"items": [summary()]},
        )
        listed = self.client.runs(filter="accuracy > 0.9 and synchronization = async")
        self.assertEqual([RUN], [run.id for run in listed])

    def changes_of(self, path: str) -> list[Any]:
        return [json.loads(it.body) for it in self.service.requests_of(f"PATCH /api/v1/{path}")]

    def test_changes_only_the_given_fields_of_a_run(self) -> None:
        self.service.plays(f"PATCH runs/{RUN}", full(notes={"text": "*good*", "author": "ann"}))
        run = self.client.change_run(RUN, notes="*good*")
        self.assertEqual("*good*", run.notes)
        run.change(notes=None, tags=("paper", "baseline"))
        run.change(priority=3, tags="paper")
        self.assertEqual(
            [
                {"notes": "*good*"},
                {"notes": None, "tags": ["paper", "baseline"]},
                {"priority": 3, "tags": ["paper"]},
            ],
            self.changes_of(f"runs/{RUN}"),
        )
        self.raised(WrongInput, run.change)
        self.assertIsNone(equipoise.Run.of(summary()).notes)

    def test_changes_the_notes_of_an_experiment(self) -> None:
        self.service.plays(f"PATCH experiments/{EXPERIMENT}", {"notes": {"text": "why"}})
        changed = self.client.change_experiment(EXPERIMENT, notes="why")
        self.assertEqual("why", changed["notes"]["text"])
        self.client.change_experiment(EXPERIMENT, notes=None)
        self.assertEqual(
            [{"notes": "why"}, {"notes": None}], self.changes_of(f"experiments/{EXPERIMENT}")
        )

    def test_queues_a_run_again_and_deletes_it(self) -> None:
        self.service.plays(f"POST runs/{RUN}/rerun", Answer({"items": [summary(OTHER)]}, 202))
        self.service.plays(f"DELETE runs/{OTHER}", Answer(b"", status=204))
        again = self.client.rerun(RUN)
        self.assertEqual(OTHER, again.id)
        self.client.delete(again)
        self.assertEqual(1, len(self.service.requests_of(f"DELETE /api/v1/runs/{OTHER}")))

    def test_cancels_and_deletes_several_runs(self) -> None:
        kept = {"id": OTHER, "done": False, "code": "illegal-state", "detail": "it has ended"}
        items = [{"id": RUN, "done": True}, kept]
        for verb in ("cancel", "delete"):
            self.service.plays(f"POST runs/{verb}", {"items": items, "done": 1})
        self.assertEqual(items, self.client.cancel_runs([equipoise.Run.of(summary()), OTHER]))
        self.assertEqual(items, self.client.delete_runs(filter="state = failed", expected=2))
        self.assertEqual(
            [{"ids": [RUN, OTHER]}, {"filter": "state = failed", "expectedCount": 2}],
            [json.loads(it.body) for it in self.service.requests],
        )

    def test_splits_long_batches(self) -> None:
        self.service.plays("POST runs/delete", {"items": [{"id": RUN, "done": True}], "done": 1})
        self.assertEqual(2, len(self.client.delete_runs([RUN] * 1001)))
        sizes = [len(json.loads(it.body)["ids"]) for it in self.service.requests]
        self.assertEqual([1000, 1], sizes)

    def test_a_batch_needs_runs_or_a_filter_with_its_count(self) -> None:
        filtered = {"filter": "state = failed"}
        for wanted in (
            {},
            {"runs": []},
            filtered,
            {"expected": 2},
            {"runs": [RUN], "expected": 2},
            {"runs": [RUN], "filter": "state = failed", "expected": 1},
        ):
            with self.subTest(wanted):
                self.raised(WrongInput, lambda: self.client.cancel_runs(**wanted))
        self.assertEqual([], self.service.requests)

    def test_lists_the_fields_of_filters(self) -> None:
        field = {"name": "testAccuracy", "aliases": ["accuracy"], "type": "number"}
        self.service.plays("GET runs/fields", {"items": [field]})
        self.assertEqual([field], self.client.run_fields())

    def test_finds_projects(self) -> None:
        mine = {"id": PROJECT, "name": "mine", "role": "editor", "quota": {}}
        self.service.plays("GET projects?limit=500", {"items": [mine]})
        self.service.plays(f"GET projects/{PROJECT}", mine)
        self.assertEqual(["mine"], [it.name for it in self.client.projects()])
        for project in (self.client.project("mine"), self.client.project(PROJECT)):
            self.assertEqual((PROJECT, "editor"), (project.id, project.role))
            self.service.plays(f"GET runs?project={PROJECT}&limit=100", {"items": []})
            for named in (project, "mine", PROJECT):
                self.assertEqual([], self.client.runs(project=named))
        error = self.raised(WrongInput, lambda: self.client.project("other"))
        self.assertEqual("there is no project 'other' that the caller may see", str(error))

    def test_deletes_empty_projects_or_those_with_everything(self) -> None:
        mine = {"id": PROJECT, "name": "my lab", "role": "owner", "quota": {}}
        self.service.plays("GET projects?limit=500", {"items": [mine]})
        empty = f"DELETE projects/{PROJECT}"
        whole = f"{empty}?everything=true&name=my+lab"
        for request in (empty, whole):
            self.service.plays(request, Answer(b"", status=204))
        project = self.client.project("my lab")
        project.delete()
        project.delete(everything=True)
        self.client.delete_project("my lab", everything=True)
        deletions = [it.path for it in self.service.requests if it.method == "DELETE"]
        self.assertEqual(
            [f"/api/v1/{it.removeprefix('DELETE ')}" for it in (empty, whole, whole)], deletions
        )
        self.raised(WrongInput, pickle.loads(pickle.dumps(project)).delete)

    def test_creates_changes_and_removes_webhooks(self) -> None:
        path = f"projects/{PROJECT}/webhooks"
        self.service.plays(f"GET {path}", {"items": [{"id": OTHER}]})
        self.service.plays(f"POST {path}", Answer({"id": OTHER, "secret": "whsec_1"}, 201))
        self.service.plays(f"PATCH {path}/{OTHER}", {"id": OTHER, "enabled": False})
        self.service.plays(f"DELETE {path}/{OTHER}", Answer(b"", status=204))
        self.assertEqual([{"id": OTHER}], self.client.webhooks(PROJECT))
        created = self.client.create_webhook(PROJECT, "chat", "https://example.org/hook")
        self.assertEqual("whsec_1", created["secret"])
        self.client.change_webhook(PROJECT, OTHER, enabled=False, events="worker.lost")
        self.client.remove_webhook(PROJECT, OTHER)
        self.assertEqual(
            [
                {"name": "chat", "url": "https://example.org/hook", "events": ["run.ended"]},
                {"events": ["worker.lost"], "enabled": False},
            ],
            [json.loads(it.body) for it in self.service.requests if it.body],
        )
        self.raised(WrongInput, lambda: self.client.change_webhook(PROJECT, OTHER))
        self.raised(WrongInput, lambda: self.client.remove_webhook(PROJECT, "chat"))

    def test_tries_webhooks_and_sends_deliveries_again(self) -> None:
        project = equipoise.Project(PROJECT, "mine", "owner")
        path = f"projects/{PROJECT}/webhooks/{OTHER}"
        delivery = {"id": RUN, "type": "ping", "state": "pending"}
        self.service.plays(f"POST {path}/ping", Answer(delivery, 202))
        self.service.plays(f"GET {path}/deliveries?limit=100", {"items": [delivery]})
        self.service.plays(f"POST {path}/deliveries/{RUN}/resend", Answer(delivery, 202))
        self.assertEqual(delivery, self.client.ping_webhook(project, OTHER))
        self.assertEqual([delivery], self.client.webhook_deliveries(project, OTHER))
        self.assertEqual(delivery, self.client.resend_delivery(project, OTHER, RUN))

    def test_cancels(self) -> None:
        self.service.plays(f"POST runs/{RUN}/cancel", full(state="CANCELLED"))
        self.assertEqual("CANCELLED", self.client.cancel(RUN).state)


class TestingMlflow:
    """A tracking server that stores calls, and rejects the calls that MLflow rejects."""

    _LIMITS = {"metrics": 1000, "params": 100, "tags": 100}
    _NAME = re.compile(r"[/\w.\- ]+")

    def __init__(self) -> None:
        self.experiments: dict[str, str] = {}
        self.runs: dict[str, dict[str, Any]] = {}
        self.headers: list[dict[str, str]] = []

    def answer(self, request: Request) -> Answer:
        self.headers.append(request.headers)
        endpoint = request.path.removeprefix("/api/2.0/mlflow/").partition("?")
        body = json.loads(request.body or b"{}")
        match endpoint[0]:
            case "experiments/create":
                if body["name"] in self.experiments:
                    return self._rejection("RESOURCE_ALREADY_EXISTS", body["name"])
                self.experiments[body["name"]] = str(len(self.experiments) + 7)
                return Answer({"experiment_id": self.experiments[body["name"]]})
            case "experiments/get-by-name":
                name = urllib.parse.parse_qs(endpoint[2])["experiment_name"][0]
                return Answer({"experiment": {"experiment_id": self.experiments[name]}})
            case "runs/create":
                if body["experiment_id"] not in self.experiments.values():
                    return self._rejection("RESOURCE_DOES_NOT_EXIST", body["experiment_id"])
                run = f"run{len(self.runs)}"
                self.runs[run] = body | {"metrics": [], "params": [], "tags": []}
                return Answer({"run": {"info": {"run_id": run}}})
            case "runs/log-batch":
                return self._kept(body, len(request.body))
            case "runs/update":
                self.runs[body["run_id"]] |= body
                return Answer({})
        return self._rejection("ENDPOINT_NOT_FOUND", request.path)

    def _kept(self, body: dict[str, Any], size: int) -> Answer:
        lists = {kind: body.get(kind, []) for kind in self._LIMITS}
        too_many = any(len(lists[kind]) > most for kind, most in self._LIMITS.items())
        if too_many or sum(map(len, lists.values())) > 1000 or size > 1_000_000:
            return self._rejection("INVALID_PARAMETER_VALUE", "too much")
        for kind, items in lists.items():
            for item in items:
                if not self._NAME.fullmatch(item["key"]) or len(item["key"]) > 250:
                    return self._rejection("INVALID_PARAMETER_VALUE", item["key"])
            self.runs[body["run_id"]][kind] += items
        return Answer({})

    @staticmethod
    def _rejection(code: str, message: str) -> Answer:
        return Answer({"error_code": code, "message": message}, 400)


def calls_of_mlflow(metrics: int) -> bytes:
    """Returns the calls that the service exports for one run."""
    api = "/api/2.0/mlflow/"
    figures = [
        {"key": "train_loss", "value": 0.5, "timestamp": 1000 + step, "step": step}
        for step in range(metrics)
    ]
    calls = [
        ("experiments/create", {"name": "study (version 1)"}),
        ("runs/create", {"experiment_id": "$experiment_id", "run_name": "study: seed 1"}),
        (
            "runs/log-batch",
            {
                "run_id": "$run_id",
                "params": [{"key": "seed", "value": "$run_id"}],
                "metrics": figures,
            },
        ),
        ("runs/update", {"run_id": "$run_id", "status": "FINISHED", "end_time": 3000}),
    ]
    lines = [{"method": "POST", "path": api + path, "body": body} for path, body in calls]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


class ElsewhereTest(ClientTest):
    def setUp(self) -> None:
        super().setUp()
        self.mlflow = TestingMlflow()
        self.tracking = TestingService(self.mlflow.answer)
        self.addCleanup(self.tracking.close)

    def plays_export(self, metrics: int = 2) -> None:
        self.service.plays(
            f"GET experiments/{EXPERIMENT}/mlflow",
            Answer(calls_of_mlflow(metrics), type="application/x-ndjson"),
        )

    def test_exports_runs_to_a_tracking_server(self) -> None:
        self.plays_export()
        runs = self.client.export_to_mlflow(EXPERIMENT, self.tracking.url + "/")
        self.assertEqual(["run0"], runs)
        run = self.mlflow.runs["run0"]
        self.assertEqual(("7", "FINISHED"), (run["experiment_id"], run["status"]))
        self.assertEqual([0, 1], [metric["step"] for metric in run["metrics"]])
        self.assertEqual([{"key": "seed", "value": "$run_id"}], run["params"])

    def test_adds_runs_to_an_existing_experiment(self) -> None:
        self.plays_export()
        self.client.export_to_mlflow(EXPERIMENT, self.tracking.url)
        self.assertEqual(["run1"], self.client.export_to_mlflow(EXPERIMENT, self.tracking.url))
        self.assertEqual(1, len(self.mlflow.experiments))

    def test_reports_rejections_of_the_tracking_server(self) -> None:
        self.plays_export(metrics=1001)
        with self.assertRaises(ApiError) as caught:
            self.client.export_to_mlflow(EXPERIMENT, self.tracking.url)
        self.assertEqual(
            ("INVALID_PARAMETER_VALUE", "too much"),
            (caught.exception.code, caught.exception.detail),
        )

    def test_sends_the_token_only_to_the_service(self) -> None:
        self.plays_export()
        headers = {"Authorization": "Bearer theirs"}
        self.client.export_to_mlflow(EXPERIMENT, self.tracking.url, headers)
        self.assertEqual({"Bearer theirs"}, {it["authorization"] for it in self.mlflow.headers})
        self.mlflow.headers.clear()
        self.client.export_to_mlflow(EXPERIMENT, self.tracking.url)
        self.assertNotIn("authorization", self.mlflow.headers[0])

    def test_rejects_invalid_tracking_servers(self) -> None:
        self.plays_export()
        for uri in ("file:///tmp/mlruns", "localhost:5000", "http://x?y=z"):
            with self.assertRaises(WrongInput):
                self.client.export_to_mlflow(EXPERIMENT, uri)
        self.tracking.close()
        with self.assertRaises(NoAnswer):
            self.client.export_to_mlflow(EXPERIMENT, self.tracking.url)

    def test_exports_and_imports_bundles(self) -> None:
        self.service.plays(
            f"GET experiments/{EXPERIMENT}/bundle", Answer(b"PK", type="application/zip")
        )
        self.service.plays(f"POST projects/{PROJECT}/bundles", {"id": OTHER})
        pages = f"GET experiments/{OTHER}/imported?limit=500"
        self.service.plays(pages, {"study": {"runs": [1]}, "again": [2], "next": "a b"})
        self.service.plays(
            f"{pages}&cursor=a%20b", {"study": {"runs": [3]}, "again": [4], "next": None}
        )
        bundle = self.client.bundle(EXPERIMENT)
        self.assertEqual({"id": OTHER}, self.client.take_bundle(bundle, PROJECT))
        self.assertEqual(
            {"study": {"runs": [1, 3]}, "again": [2, 4]}, self.client.imported(OTHER)
        )
        sent = self.service.requests_of(f"POST /api/v1/projects/{PROJECT}/bundles")[0]
        self.assertEqual(
            (b"PK", "application/zip"), (sent.body, sent.headers["content-type"])
        )
        with self.assertRaises(WrongInput):
            self.client.bundle("../projects")


def model_file(**tensors: tuple[list[int], list[float]]) -> bytes:
    """Returns a safetensors file of float32 tensors, each with a shape and values."""
    header: dict[str, Any] = {"__metadata__": {"run": RUN}}
    data = b""
    for name, (shape, values) in tensors.items():
        bytes_ = struct.pack(f"<{len(values)}f", *values)
        offsets = [len(data), len(data) + len(bytes_)]
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": offsets}
        data += bytes_
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def model_answer(file: bytes, digest: bytes | None = None, cut: int = 0) -> Answer:
    sha256 = hashlib.sha256(file).digest() if digest is None else digest
    stated = f"sha-256=:{base64.b64encode(sha256).decode()}:"
    headers = (("Content-Digest", stated),)
    return Answer(file, type="application/octet-stream", headers=headers, cut=cut)


class ModelTest(ClientTest):
    PATH = f"GET runs/{RUN}/model"
    FILE = model_file(weight=([2, 3], [1, 2, 3, 4, 5, 6.5]), bias=([2], [-1, 0.25]))

    def without(self, *modules: str) -> Any:
        return mock.patch.dict("sys.modules", dict.fromkeys(modules))

    def test_returns_plain_tensors_without_numpy(self) -> None:
        self.service.plays(self.PATH, model_answer(self.FILE))
        with self.without("numpy"):
            model = self.client.model(RUN)
        self.assertEqual(["weight", "bias"], list(model))
        self.assertEqual((2, 3), model["weight"].shape)
        self.assertEqual([1, 2, 3, 4, 5, 6.5], list(model["weight"].values))
        self.assertEqual([-1, 0.25], list(model["bias"].values))

    def test_returns_numpy_arrays(self) -> None:
        numpy = importable("numpy")
        if numpy is None:
            self.skipTest("NumPy is not installed")
        self.service.plays(self.PATH, model_answer(self.FILE))
        model = self.client.model(RUN)
        self.assertEqual([[1, 2, 3], [4, 5, 6.5]], model["weight"].tolist())
        self.assertEqual(numpy.float32, model["bias"].dtype)

    def test_returns_a_torch_state_dict(self) -> None:
        if importable("torch") is None:
            self.skipTest("PyTorch is not installed")
        self.service.plays(self.PATH, model_answer(self.FILE))
        model = self.client.model(RUN, torch=True)
        self.assertEqual([[1, 2, 3], [4, 5, 6.5]], model["weight"].tolist())

    def test_says_that_torch_is_missing(self) -> None:
        with self.without("torch"):
            error = self.raised(WrongInput, lambda: self.client.model(RUN, torch=True))
        self.assertEqual("torch=True needs PyTorch, which is not installed", str(error))

    def test_model_of_a_run(self) -> None:
        self.service.plays(f"GET runs/{RUN}", full(state="COMPLETED", epoch=2))
        self.service.plays(self.PATH, model_answer(self.FILE))
        run = self.client.run(RUN)
        self.assertEqual(["weight", "bias"], list(run.model()))
        forgotten = pickle.loads(pickle.dumps(run))
        self.assertEqual(run, forgotten)
        self.raised(WrongInput, forgotten.model)

    def test_writes_a_file_once_the_whole_model_is_there(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.safetensors")
            path.write_bytes(b"older")
            self.service.plays(
                self.PATH, model_answer(self.FILE, cut=5), model_answer(self.FILE)
            )
            self.assertEqual(path, self.client.download_model(RUN, path))
            self.assertEqual(self.FILE, path.read_bytes())
            self.assertEqual([path], list(Path(folder).iterdir()))

    def test_keeps_the_file_if_the_digest_is_wrong(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.safetensors")
            path.write_bytes(b"older")
            self.service.plays(self.PATH, model_answer(self.FILE, digest=b"0" * 32))
            error = self.raised(NoAnswer, lambda: self.client.download_model(RUN, path))
            self.assertIn("does not have the digest of a model file", str(error))
            self.assertEqual(b"older", path.read_bytes())
            self.assertEqual([path], list(Path(folder).iterdir()))

    def test_rejects_other_files(self) -> None:
        for file in (b"", b"\x05\0\0\0\0\0\0\0[1,2]", self.FILE[:-1], b"\xff" * 20):
            self.service.plays(self.PATH, model_answer(file))
            error = self.raised(NoAnswer, lambda: self.client.model(RUN))
            self.assertIn("no safetensors file of float32", str(error))

    def test_tells_why_there_is_no_model(self) -> None:
        self.service.plays(
            self.PATH, problem(404, "model-not-yet", "Run x is RUNNING and has no model yet")
        )
        error = self.raised(ApiError, lambda: self.client.model(RUN))
        self.assertEqual("model-not-yet", error.code)

    def test_removes_a_model(self) -> None:
        self.service.plays(f"DELETE runs/{RUN}/model", Answer(b"", 204))
        self.client.remove_model(RUN)
        self.assertEqual(1, len(self.service.requests))


def importable(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


class RowTest(ClientTest):
    def test_has_a_row_for_each_run_of_a_comparison(self) -> None:
        self.service.plays(f"GET comparisons?runs={RUN},{OTHER}&target=0.9", COMPARISON)
        first, second = rows(self.client.compare([RUN, OTHER], target=0.9))
        self.assertEqual(
            (RUN, "equal", 0.5904, 1.0),
            tuple(first[it] for it in ("run", "partitioning", "finalAccuracy", "trainingSpeedup")),
        )
        self.assertEqual(
            (OTHER, "FAILED", None, None),
            tuple(second[it] for it in ("run", "state", "finalAccuracy", "trainingSpeedup")),
        )
        self.assertEqual(
            (0.198, 0.098, 0.1),
            tuple(
                first[it]
                for it in ("elapsedSeconds", "phaseTrainingSeconds", "phaseEvaluationSeconds")
            ),
        )
        self.assertEqual(first.keys(), second.keys())
        self.assertFalse([it for it in first.values() if isinstance(it, (dict, list))])

    def test_run_has_its_times_in_full_form_alone(self) -> None:
        times = {"elapsedSeconds": 2.0, "phases": {"trainingSeconds": 2.0}, "ranks": []}
        self.assertEqual(times, equipoise.Run.of(full(times=times)).times)
        self.assertIsNone(equipoise.Run.of(summary()).times)

    def test_has_a_row_for_each_seed_group_of_a_comparison(self) -> None:
        ring, tree = group_rows({**COMPARISON, "groups": GROUPS})
        self.assertEqual(
            (8, 7, 9, "range", 1, None),
            tuple(
                ring[it]
                for it in (
                    "trainingSeconds",
                    "trainingSecondsLow",
                    "trainingSecondsHigh",
                    "trainingSecondsInterval",
                    "trainingSpeedup",
                    "trainingSpeedupLow",
                )
            ),
        )
        self.assertEqual(
            (2, 1.5, 2.5, -0.25, 1),
            tuple(
                tree[it]
                for it in (
                    "trainingSpeedup",
                    "trainingSpeedupLow",
                    "trainingSpeedupHigh",
                    "accuracyDifference",
                    "commonSeeds",
                )
            ),
        )
        with self.assertRaises(WrongInput):
            group_rows({})

    def test_has_a_row_for_each_epoch_and_rank_of_a_run(self) -> None:
        run = equipoise.Run.of(full(state="COMPLETED", epoch=2))
        table = rows(run)
        self.assertEqual(
            [(1, 0), (1, 1), (2, 0), (2, 1)], [(it["epoch"], it["rank"]) for it in table]
        )
        last = table[-1]
        self.assertEqual(
            ("w1", 250, 0.02, 8143240, 5),
            tuple(
                last[it] for it in ("worker", "share", "computeSeconds", "gradientBytes", "steps")
            ),
        )
        self.assertEqual((1.75, 2.0), (last["meanLoss"], last["epochMeanLoss"]))
        self.assertFalse([it for it in last.values() if isinstance(it, (dict, list))])
        self.assertEqual(8, len(rows([run, run])))

    def test_rejects_rows_of_other_values(self) -> None:
        self.raised(WrongInput, lambda: rows(equipoise.Run.of(summary())))
        self.raised(WrongInput, lambda: rows({"items": []}))


class CommandLineTest(ClientTest):
    def command(self, *arguments: str, stdin: str = "") -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        environment = {"EQUIPOISE_URL": self.service.url, "EQUIPOISE_TOKEN": TOKEN}
        with (
            mock.patch.dict(os.environ, environment),
            mock.patch("sys.stdin", io.StringIO(stdin)),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            try:
                status = equipoise.main(arguments)
            except SystemExit as leaving:
                status = int(leaving.code or 0)
        self.assertNotIn(TOKEN, out.getvalue() + err.getvalue())
        return status, out.getvalue(), err.getvalue()

    def plays_submission(self) -> None:
        self.service.plays("POST experiments/validate", {"configurations": [{}]})
        self.service.plays("GET me", {"projects": {PROJECT: "editor"}})
        self.service.plays(f"POST projects/{PROJECT}/experiments", {"id": EXPERIMENT})
        self.service.plays(
            f"POST experiments/{EXPERIMENT}/runs", {"items": [summary(), summary(OTHER)]}
        )

    def test_submits_and_prints_the_runs(self) -> None:
        self.plays_submission()
        self.assertEqual((0, f"{RUN}\n{OTHER}\n", ""), self.command("submit", "-", stdin="name: x"))

    def test_sets_fields_of_json(self) -> None:
        self.plays_submission()
        status, _, _ = self.command(
            "submit",
            "-",
            "--set",
            "training.epochs=2",
            "--set",
            "a=word",
            "--set",
            "b=true",
            stdin='{"name": "x"}',
        )
        self.assertEqual(0, status)
        self.assertEqual(
            {"name": "x", "training": {"epochs": 2}, "a": "word", "b": True},
            json.loads(self.service.requests[0].body),
        )

    def test_exits_with_2_for_wrong_input(self) -> None:
        broken = {"pointer": "/name", "rule": "must be given", "value": None}
        self.service.plays(
            "POST experiments/validate", problem(400, "invalid-definition", "x", [broken, broken])
        )
        self.assertEqual(
            (2, "", "equipoise: /name must be given\n" * 2), self.command("submit", "-", stdin="{}")
        )
        for arguments in (
            ("submit", "/no/such/file"),
            ("submit", "-", "--set", "a=1"),
            ("wait", "x"),
            ("wait",),
            ("fly",),
            (),
            ("--service", "ftp://h", "wait", RUN),
            ("--ca", "ca.pem", "wait", RUN),
        ):
            with self.subTest(arguments):
                status, _, errors = self.command(*arguments, stdin="name: x")
                self.assertEqual(2, status)
                self.assertTrue(errors)

    def test_exits_with_1_if_a_run_or_the_service_fails(self) -> None:
        self.service.plays(f"GET runs/{RUN}", full(state="CANCELLED"))
        status, out, err = self.command("wait", RUN)
        self.assertEqual((1, "probe: seed 1: cancelled\n"), (status, out))
        self.assertIn("1 of 1 runs did not complete", err)
        self.assertEqual(1, self.command("wait", OTHER)[0])

    def test_exits_with_0_if_all_are_completed(self) -> None:
        self.service.plays(f"GET runs/{RUN}", full(state="COMPLETED", epoch=2))
        self.assertEqual((0, "probe: seed 1: completed\n", ""), self.command("wait", RUN))

    def test_interruption_leaves_runs_open(self) -> None:
        with mock.patch.object(Client, "wait", side_effect=KeyboardInterrupt):
            status, _, errors = self.command("wait", RUN)
        self.assertEqual((130, 0), (status, len(self.service.requests)))
        self.assertIn("continue at the service", errors)

    def test_shows_seed_groups_with_intervals_and_ties(self) -> None:
        grouped = {**copy.deepcopy(COMPARISON), "groups": GROUPS, "rankings": RANKINGS}
        self.service.plays(f"GET comparisons?runs={RUN},{OTHER}", grouped)
        status, out, _ = self.command("compare", RUN, OTHER)
        self.assertEqual(0, status)
        lines = out.splitlines()
        self.assertRegex(lines[5], r"ring +2 +0\.7500 \[0\.5000, 1\.0000\] +- +8 \[7, 9\] +1\.000$")
        self.assertRegex(
            lines[6],
            r"tree +1 +- +-0\.2500 \[-0\.5000, \+0\.0000\] +4 +2\.000 \[1\.500, 2\.500\]$",
        )
        self.assertEqual(
            [
                "Highest accuracy first: 1. tree = ring (tie)",
                "Shortest training first: 1. tree; 2. ring",
                "Groups with fewer than four completed seeds, or without the figure, are not ranked.",
            ],
            lines[8:],
        )

    def test_shows_the_accuracy_of_compared_replicas(self) -> None:
        comparison = {**copy.deepcopy(COMPARISON), "compared": "replicas"}
        comparison["runs"][0]["figures"]["replicaAccuracy"] = 0.25
        self.service.plays(f"GET comparisons?runs={RUN},{OTHER}", comparison)
        status, out, _ = self.command("compare", RUN, OTHER)
        self.assertEqual(0, status)
        lines = out.splitlines()
        self.assertRegex(lines[0], r"^label +seed +state +replicaAccuracy +finalAccuracy ")
        self.assertRegex(lines[1], r" COMPLETED +0\.2500 +0\.5904 ")

    def test_compares_as_a_table_and_as_csv(self) -> None:
        self.service.plays(f"GET comparisons?runs={RUN},{OTHER}", copy.deepcopy(COMPARISON))
        self.service.plays(
            f"GET comparisons?runs={RUN},{OTHER}&format=csv",
            Answer(b"row,label\nrun,x\n", type="text/csv"),
        )
        status, out, _ = self.command("compare", RUN, OTHER)
        self.assertEqual((0, 3), (status, len(out.splitlines())))
        self.assertRegex(
            out.splitlines()[1], r"probe +1 +COMPLETED +0\.5904 +0\.098 +1\.000 +- +16287032"
        )
        self.assertEqual(
            (0, "row,label\nrun,x\n", ""), self.command("compare", RUN, OTHER, "--csv")
        )


if __name__ == "__main__":
    unittest.main()
