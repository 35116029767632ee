"""Tests tables, charts, data frames and the progress of runs."""

from __future__ import annotations

import contextlib
import copy
import io
import os
import pickle
import sys
import tempfile
import types
import xml.etree.ElementTree
from pathlib import Path
from typing import Any
from unittest import mock

import equipoise
from equipoise import Comparison, Run, Runs, WrongInput
from test_equipoise import COMPARISON, GROUPS, LIST, OTHER, RUN, ClientTest, full, summary

HOSTILE = "<script>alert('x')</script>&\""
SVG = "{http://www.w3.org/2000/svg}"


def without(*modules: str) -> Any:
    return mock.patch.dict("sys.modules", dict.fromkeys(modules))


def compared() -> Comparison:
    comparison = Comparison(copy.deepcopy(COMPARISON) | {"groups": copy.deepcopy(GROUPS)})
    comparison["runs"][0]["curve"] = [
        {"epoch": epoch, "seconds": epoch / 4, "bytes": epoch * 1000, "testAccuracy": accuracy}
        for epoch, accuracy in ((1, 0.25), (2, None), (3, 0.75))
    ]
    return comparison


class TableTest(ClientTest):
    def test_shows_runs_as_a_table(self) -> None:
        self.service.plays("GET runs?limit=100", {"items": [summary(OTHER), summary()]})
        runs = self.client.runs()
        table = xml.etree.ElementTree.fromstring(runs._repr_html_())
        cells = [[cell.text for cell in row] for row in table.iter("tr")]
        self.assertEqual(3, len(cells))
        self.assertEqual("run", cells[0][0])
        self.assertEqual(
            ["probe: seed 1", "QUEUED", "0%", "-", "-", "-", OTHER], cells[1]
        )

    def test_terminals_show_tables_as_text(self) -> None:
        head, first = repr(Runs([Run.of(summary())])).splitlines()
        self.assertRegex(head, "^run  +state  +progress ")
        self.assertRegex(first, rf"^probe: seed 1  QUEUED  0%  .* {RUN}$")
        self.assertRegex(repr(compared()), r"\n\nlabel +completed[^\n]*\nring ")
        self.assertEqual("{}", repr(Comparison()))

    def test_numbers_runs_of_a_service_that_does_not_name_them(self) -> None:
        unnamed = summary()
        del unnamed["name"]
        self.assertRegex(repr(Runs([Run.of(unnamed)])), r"\nprobe #1  QUEUED")

    def test_tables_escape_every_text(self) -> None:
        failure = {"cause": "worker", "code": "worker-lost", "message": HOSTILE}
        run = Run.of(full(state="FAILED", failure=failure, experimentName=HOSTILE, name=HOSTILE))
        comparison = compared()
        comparison["runs"][0]["name"] = comparison["runs"][0]["label"] = HOSTILE
        comparison["groups"][0]["label"] = HOSTILE
        with without("matplotlib.pyplot"):
            chart = comparison.plot()
        for shown in (run._repr_html_(), comparison._repr_html_(), chart._repr_svg_()):
            self.assertNotIn("<script", shown)
            self.assertIn("&lt;script&gt;", shown)
            xml.etree.ElementTree.fromstring(f"<all>{shown}</all>")

    def test_shows_a_comparison_as_tables_of_runs_and_of_groups(self) -> None:
        shown = xml.etree.ElementTree.fromstring(f"<all>{compared()._repr_html_()}</all>")
        runs, groups = shown.iter("table")
        self.assertIn("0.5904", [cell.text for cell in runs.iter("td")])
        self.assertIn("8 [7, 9]", [cell.text for cell in groups.iter("td")])

    def test_a_comparison_is_still_the_json_of_the_service(self) -> None:
        self.service.plays(f"GET comparisons?runs={RUN}", COMPARISON)
        comparison = self.client.compare(RUN)
        self.assertEqual(COMPARISON, comparison)
        self.assertEqual(comparison, pickle.loads(pickle.dumps(comparison)))

    def test_a_part_of_the_runs_is_shown_as_well(self) -> None:
        runs = Runs(Run.of(summary(it)) for it in (RUN, OTHER))
        self.assertIsInstance(runs[:1], Runs)
        self.assertEqual([RUN], [it.id for it in runs[:1]])
        self.assertEqual(OTHER, runs[-1].id)


class FrameTest(ClientTest):
    def setUp(self) -> None:
        super().setUp()
        pandas = types.ModuleType("pandas")
        pandas.DataFrame = list  # type: ignore[attr-defined]
        patched = mock.patch.dict("sys.modules", pandas=pandas)
        patched.start()
        self.addCleanup(patched.stop)

    def test_has_a_row_for_each_run(self) -> None:
        tagged = {"synchronization": {"kind": "bsp"}, "testAccuracy": 0.5}
        configured = full(configuration={"seed": 1, "training": {"epochs": 2}})
        short, whole = Runs([Run.of(summary(**tagged)), Run.of(configured)]).to_pandas()
        self.assertEqual(
            (RUN, "bsp", 0.5),
            (short["run"], short["synchronization.kind"], short["testAccuracy"]),
        )
        self.assertEqual(2, whole["training.epochs"])
        self.assertFalse([it for it in whole.values() if isinstance(it, dict)])

    def test_has_a_row_for_each_epoch_and_rank(self) -> None:
        run = Run.of(full(state="COMPLETED", epoch=2))
        self.assertEqual(equipoise.rows(run), run.to_pandas())
        self.assertEqual(equipoise.rows([run, run]), Runs([run, run]).to_pandas(epochs=True))
        self.raised(WrongInput, Run.of(summary()).to_pandas)

    def test_has_a_row_for_each_compared_run_or_group(self) -> None:
        comparison = compared()
        self.assertEqual(equipoise.rows(comparison), comparison.to_pandas())
        self.assertEqual(equipoise.group_rows(comparison), comparison.to_pandas(groups=True))

    def test_says_how_to_install_pandas(self) -> None:
        with without("pandas"):
            error = self.raised(WrongInput, compared().to_pandas)
        self.assertEqual(
            "to_pandas needs pandas, which is not installed: python3 -m pip install pandas",
            str(error),
        )


class TestingAxes:
    """Axes that note the calls of Matplotlib's."""

    def __init__(self) -> None:
        self.lines: list[tuple[list[float], list[float], dict[str, Any]]] = []
        self.labels: dict[str, str] = {}

    def plot(self, xs: list[float], ys: list[float], **style: Any) -> None:
        self.lines.append((xs, ys, style))

    def set_xlabel(self, label: str) -> None:
        self.labels["x"] = label

    def set_ylabel(self, label: str) -> None:
        self.labels["y"] = label

    def legend(self) -> None:
        pass


class PlotTest(ClientTest):
    def test_draws_into_axes_of_matplotlib(self) -> None:
        axes = TestingAxes()
        self.assertIs(axes, compared().plot(x="bytes", ax=axes))
        first, second = axes.lines
        self.assertEqual(([1000, 3000], [0.25, 0.75]), first[:2])
        self.assertEqual("seed 1", first[2]["label"])
        self.assertEqual(first[2]["color"], second[2]["color"])
        self.assertEqual({"x": "bytes", "y": "testAccuracy"}, axes.labels)

    def test_draws_over_both_clocks(self) -> None:
        comparison = compared()
        known, *unknown = comparison["runs"][0]["curve"]
        known["wallClockSeconds"] = 5.5
        for point in unknown:
            point["wallClockSeconds"] = None
        comparison["runs"][1]["curve"] = []
        axes = TestingAxes()
        comparison.plot(x="wallClock", ax=axes)
        self.assertEqual(([5.5], [0.25]), axes.lines[0][:2])
        self.assertEqual("wall-clock seconds", axes.labels["x"])
        comparison.plot(x="seconds", ax=axes)
        self.assertEqual("training seconds", axes.labels["x"])

    def test_makes_axes_where_matplotlib_is_installed(self) -> None:
        axes = TestingAxes()
        pyplot = types.ModuleType("matplotlib.pyplot")
        pyplot.subplots = lambda: (None, axes)  # type: ignore[attr-defined]
        package = types.ModuleType("matplotlib")
        run = Run.of(full(state="COMPLETED", epoch=2))
        with mock.patch.dict(sys.modules, {"matplotlib": package, "matplotlib.pyplot": pyplot}):
            self.assertIs(axes, run.plot("trainingLoss"))
        self.assertEqual(([1, 2], [2.0, 2.0]), axes.lines[0][:2])

    def test_draws_svg_without_matplotlib(self) -> None:
        with without("matplotlib.pyplot"):
            chart = compared().plot()
        drawn = xml.etree.ElementTree.fromstring(chart._repr_svg_())
        first, second = (line.attrib["points"].split() for line in drawn.iter(f"{SVG}polyline"))
        self.assertEqual(["80.0,300.0", "620.0,20.0"], first)
        self.assertEqual([], second)
        texts = [text.text for text in drawn.iter(f"{SVG}text")]
        for text in ("epoch", "testAccuracy", "0.5", "seed 1"):
            self.assertIn(text, texts)
        with tempfile.TemporaryDirectory() as folder:
            path = chart.save(Path(folder, "chart.svg"))
            self.assertEqual(chart.svg, path.read_text(encoding="utf-8"))
        self.assertEqual("Chart()", repr(chart))

    def test_draws_equal_and_missing_values(self) -> None:
        for points in ([], [(1, 0.0)], [(1, 5e9), (2, 5e9)], [(1, -3e-9), (2, 4e-9)], [(1, None)]):
            with self.subTest(points):
                svg = equipoise._svg("epoch", "testLoss", [equipoise._Line("a", 9, points)])
                drawn = xml.etree.ElementTree.fromstring(svg)
                self.assertGreater(len(list(drawn.iter(f"{SVG}text"))), 6)

    def test_rejects_unknown_figures(self) -> None:
        error = self.raised(WrongInput, lambda: compared().plot("accuracy"))
        self.assertEqual(
            "y must be one of testAccuracy, replicaAccuracy, testLoss, trainingLoss, but was"
            " 'accuracy'",
            str(error),
        )
        self.raised(WrongInput, lambda: compared().plot(x="steps"))
        self.raised(WrongInput, lambda: Run.of(full()).plot("replicaAccuracy"))
        self.raised(WrongInput, Run.of(summary()).plot)


class TestingTerminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class ProgressTest(ClientTest):
    def setUp(self) -> None:
        super().setUp()
        self.service.plays(f"GET runs/{RUN}", full(), full(state="COMPLETED", epoch=2))
        running = summary(state="RUNNING", epoch=1, epochSeconds=8.0)
        self.service.plays(
            LIST, {"items": [running]}, {"items": [summary(state="COMPLETED", epoch=2)]}
        )
        for patched in (without("IPython"), mock.patch.dict(os.environ, COLUMNS="60")):
            patched.start()
            self.addCleanup(patched.stop)

    def test_says_nothing_outside_of_terminals_and_notebooks(self) -> None:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            self.client.wait(RUN)
        self.assertEqual(("", ""), (out.getvalue(), err.getvalue()))

    def test_rewrites_one_line_of_a_terminal(self) -> None:
        started = Run.of(summary(), self.client)
        with contextlib.redirect_stderr(TestingTerminal()) as terminal:
            run = started.wait()
        self.assertTrue(run.is_completed)
        first, second, rest = terminal.getvalue().removeprefix("\r").split("\r")
        self.assertEqual("[                    ]   0%  probe: seed 1: queued", first)
        self.assertTrue(second.startswith("[##########          ]  50%  probe: seed 1: runn"))
        self.assertLess(len(second), 60)
        self.assertEqual("[####################] 100%  probe: seed 1: completed", rest.strip())
        self.assertTrue(rest.endswith("\n"))

    def test_counts_the_states_of_several_runs(self) -> None:
        self.service.plays(f"GET runs/{OTHER}", full(OTHER, "FAILED", 1))
        with contextlib.redirect_stderr(TestingTerminal()) as terminal:
            self.client.wait([RUN, OTHER], check=False)
        self.assertIn(" 50%  2 runs: 1 queued, 1 failed", terminal.getvalue())
        self.assertIn("100%  2 runs: 1 completed, 1 failed", terminal.getvalue())

    def test_a_terminal_gets_no_control_characters(self) -> None:
        terminal = TestingTerminal()
        equipoise._Terminal(terminal).show(0, "a\x1b[2Jb\nc")
        self.assertEqual("\r[                    ]   0%  a [2Jb c", terminal.getvalue())

    def test_updates_one_output_of_a_notebook(self) -> None:
        shown: list[str] = []
        handle = types.SimpleNamespace(update=shown.append)

        def display(output: str, display_id: bool) -> types.SimpleNamespace:
            self.assertTrue(display_id)
            shown.append(output)
            return handle

        shell = types.SimpleNamespace(kernel=object())
        ipython = types.ModuleType("IPython")
        ipython.get_ipython = lambda: shell  # type: ignore[attr-defined]
        module = types.ModuleType("IPython.display")
        module.HTML, module.display = str, display  # type: ignore[attr-defined]
        with mock.patch.dict(sys.modules, {"IPython": ipython, "IPython.display": module}):
            self.client.wait(RUN)
        self.assertEqual(3, len(shown))
        self.assertEqual(
            '<progress max="1" value="0.500"></progress> probe: seed 1: running, epoch 1 of 2,'
            " 8 s left",
            shown[1],
        )

    def test_the_bar_says_that_the_service_does_not_answer(self) -> None:
        terminal = TestingTerminal()
        bar = equipoise._ProgressBar(equipoise._Terminal(terminal))
        assert bar.say is not None
        bar.say("got no answer")
        self.assertIn("0%  got no answer", terminal.getvalue())

    def test_runs_wait_together(self) -> None:
        runs = Runs([self.client.run(RUN)])
        self.assertEqual([RUN], [it.id for it in runs.wait(progress=False)])
        self.raised(WrongInput, Runs().wait)


if __name__ == "__main__":
    import unittest

    unittest.main()
