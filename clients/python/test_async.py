"""Tests the client for asyncio against the same small server."""

from __future__ import annotations

import asyncio
import inspect
import os
import unittest
from dataclasses import replace
from typing import Any
from unittest import mock

from equipoise import AsyncClient, Client, RunFailed, WaitTimedOut, WrongInput
from test_equipoise import (
    EVENTS,
    LIST,
    OTHER,
    RUN,
    TOKEN,
    Answer,
    TestingClock,
    TestingService,
    event_text,
    full,
    problem,
    stream,
    summary,
)


class AsyncClientTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        environment = mock.patch.dict(os.environ, no_proxy="127.0.0.1")
        environment.start()
        self.addCleanup(environment.stop)
        self.service = TestingService()
        self.addCleanup(self.service.close)
        self.clock = TestingClock()
        self.client = AsyncClient(
            Client(self.service.url, TOKEN, timeout=5, clock=self.clock), sleep=self.sleep
        )
        self.addAsyncCleanup(self.client.close)

    async def sleep(self, seconds: float) -> None:
        self.clock.sleep(seconds)

    async def test_has_every_method_of_the_client(self) -> None:
        def public(kind: type) -> set[str]:
            return {name for name in vars(kind) if not name.startswith("_")}

        self.assertEqual(public(Client), public(AsyncClient) - {"close"})
        for name in public(Client) - {"from_environment"}:
            method = getattr(AsyncClient, name)
            is_iterator = inspect.isgeneratorfunction(getattr(Client, name)) or name == "log"
            self.assertEqual(is_iterator, inspect.isasyncgenfunction(method), name)
            self.assertEqual(not is_iterator, inspect.iscoroutinefunction(method), name)
            self.assertEqual(
                inspect.signature(getattr(Client, name)), inspect.signature(method), name
            )

    async def test_calls_at_the_same_time(self) -> None:
        for run in (RUN, OTHER):
            self.service.plays(f"GET runs/{run}", full(run))
        runs = await asyncio.gather(self.client.run(RUN), self.client.run(OTHER))
        self.assertEqual([RUN, OTHER], [run.id for run in runs])

    async def test_waits_without_a_thread(self) -> None:
        self.service.plays(f"GET runs/{RUN}", full(), full(state="COMPLETED", epoch=2))
        self.service.plays(
            LIST, {"items": [summary()]}, {"items": [summary(state="COMPLETED", epoch=2)]}
        )
        lines: list[str] = []
        (run,) = await self.client.wait(RUN, lines.append)
        self.assertTrue(run.is_completed)
        self.assertEqual(
            ["probe: seed 1: queued", "probe: seed 1: completed"], lines
        )
        self.assertEqual([0.5, 0.75], self.clock.pauses)

    async def test_raises_the_errors_of_the_client(self) -> None:
        self.service.plays(f"GET runs/{RUN}", full(state="CANCELLED"))
        with self.assertRaises(RunFailed):
            await self.client.wait(RUN, None)
        self.service.plays(f"GET runs/{RUN}", full())
        self.service.plays(LIST, {"items": [summary()]})
        with self.assertRaises(WaitTimedOut):
            await self.client.wait(RUN, None, timeout=3)
        with self.assertRaises(WrongInput):
            await self.client.wait([])

    async def test_iterates_over_events(self) -> None:
        self.service.plays(
            EVENTS,
            stream(event_text(3, state="QUEUED"), event_text(5, state="RUNNING")),
            Answer(b"", 204),
        )
        self.service.plays(f"GET runs/{RUN}", full(state="COMPLETED", epoch=2))
        seen = [event["id"] async for event in self.client.stream(RUN)]
        self.assertEqual([3, 5], seen)

    async def test_a_canceled_call_ends_before_its_next_attempt(self) -> None:
        asked = asyncio.Event()
        loop = asyncio.get_running_loop()

        def answer(request: Any) -> Answer:
            self.service.requests.append(request)
            loop.call_soon_threadsafe(asked.set)
            return replace(problem(503, "busy", "x"), headers=(("Retry-After", "3600"),))

        self.service._play = answer
        client = AsyncClient(Client(self.service.url, TOKEN, patience=7200))
        task = asyncio.create_task(client.presets())
        await asked.wait()
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        await client.close()
        self.assertEqual(1, len(self.service.requests))

    async def test_a_returned_run_keeps_its_client(self) -> None:
        self.service.plays(f"GET runs/{RUN}", full(state="COMPLETED", epoch=2))
        async with self.client as client:
            run = await client.run(RUN)
        again = await asyncio.to_thread(run.wait, False)
        self.assertEqual(RUN, again.id)

    async def test_never_prints_the_token(self) -> None:
        self.assertEqual(f"AsyncClient('{self.service.url}')", repr(self.client))


if __name__ == "__main__":
    unittest.main()
