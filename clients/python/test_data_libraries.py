"""Tests data frames and charts with pandas and Matplotlib themselves."""

from __future__ import annotations

import importlib.util
import unittest

from equipoise import Run, Runs
from test_equipoise import full
from test_views import compared


@unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
class DataFrameTest(unittest.TestCase):
    def test_frame_of_a_comparison_has_a_row_for_each_run(self) -> None:
        comparison = compared()

        frame = comparison.to_pandas()

        self.assertEqual([run["label"] for run in comparison["runs"]], list(frame["label"]))
        self.assertEqual([run["seed"] for run in comparison["runs"]], list(frame["seed"]))
        self.assertEqual(len(comparison["groups"]), len(comparison.to_pandas(groups=True)))

    def test_frame_of_a_run_has_a_row_for_each_epoch_and_rank(self) -> None:
        run = Run.of(full(state="COMPLETED", epoch=2))

        frame = run.to_pandas()

        self.assertEqual(
            [(epoch["epoch"], rank["rank"]) for epoch in run.answer["epochs"] for rank in epoch["ranks"]],
            list(zip(frame["epoch"], frame["rank"], strict=True)),
        )
        self.assertEqual("float64", str(frame["computeSeconds"].dtype))
        self.assertEqual(1, len(Runs([run]).to_pandas()))


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "Matplotlib is not installed")
class MatplotlibTest(unittest.TestCase):
    def setUp(self) -> None:
        import matplotlib

        matplotlib.use("agg")

    def test_plot_of_a_comparison_has_a_line_for_each_run(self) -> None:
        comparison = compared()

        axes = comparison.plot()

        self.assertEqual(("epoch", "testAccuracy"), (axes.get_xlabel(), axes.get_ylabel()))
        self.assertEqual(len(comparison["runs"]), len(axes.get_lines()))
        first = axes.get_lines()[0]
        self.assertEqual([(1, 0.25), (3, 0.75)], [(x, y) for x, y in first.get_xydata() if y == y])

    def test_plot_draws_into_given_axes(self) -> None:
        from matplotlib import pyplot

        figure, axes = pyplot.subplots()
        self.addCleanup(pyplot.close, figure)

        self.assertIs(axes, Run.of(full(state="COMPLETED", epoch=2)).plot("trainingLoss", axes))
        self.assertEqual("trainingLoss", axes.get_ylabel())
        self.assertEqual(1, len(axes.get_lines()))


if __name__ == "__main__":
    unittest.main()
