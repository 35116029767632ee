"""Tests the notebook: its cells against a played service, and its committed outputs."""

from __future__ import annotations

import base64
import copy
import io
import json
import os
import re
import tempfile
import types
import unittest
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any
from unittest import mock

import fill_notebook
from test_equipoise import (
    COMPARISON,
    EXPERIMENT,
    OTHER,
    PROJECT,
    RUN,
    TOKEN,
    ClientTest,
    full,
    model_answer,
    model_file,
    summary,
)


def text_of(lines: list[str]) -> str:
    return "".join(lines)


class FillingTest(ClientTest):
    def setUp(self) -> None:
        super().setUp()
        settings = {"EQUIPOISE_URL": self.service.url, "EQUIPOISE_TOKEN": TOKEN}
        patched = mock.patch.dict(os.environ, settings)
        patched.start()
        self.addCleanup(patched.stop)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.notebook = Path(folder.name, "filled.ipynb")

    def filled(self, script: str) -> list[dict[str, Any]]:
        file = self.notebook.with_suffix(".py")
        file.write_text(script, encoding="utf-8")
        fill_notebook.fill(file, self.notebook)
        cells: list[dict[str, Any]] = json.loads(self.notebook.read_text(encoding="utf-8"))["cells"]
        return cells

    def plays_a_study(self) -> None:
        self.service.plays("GET version", {"version": "0.1.0", "protocol": "0.2"})
        self.service.plays("POST experiments/validate", {"configurations": [{}, {}]})
        self.service.plays("GET me", {"projects": {PROJECT: "editor"}})
        self.service.plays(f"POST projects/{PROJECT}/experiments", {"id": EXPERIMENT})
        queued = {"items": [summary(), summary(OTHER)]}
        self.service.plays(f"POST experiments/{EXPERIMENT}/runs", queued)
        for run in (RUN, OTHER):
            self.service.plays(f"GET runs/{run}", full(run, "COMPLETED", 2))
        comparison = copy.deepcopy(COMPARISON)
        comparison["runs"][0]["curve"] = [
            {"epoch": it, "bytes": it * 9, "testAccuracy": it / 4, "trainingLoss": 1 / it}
            for it in (1, 2)
        ]
        self.service.plays(f"GET comparisons?runs={RUN},{OTHER}&target=0.6", comparison)
        self.service.plays(f"GET runs/{RUN}/model", model_answer(model_file(weight=([1], [2.0]))))

    def test_example_runs_from_its_definition_to_plots(self) -> None:
        self.plays_a_study()
        with mock.patch.dict("sys.modules", {"matplotlib.pyplot": None}):
            cells = self.filled(fill_notebook.SCRIPT.read_text(encoding="utf-8"))
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        self.assertGreater(len(code), 6)
        self.assertEqual([], [cell["source"] for cell in code if not cell["outputs"]])
        forms = [set(it.get("data", {})) for cell in code for it in cell["outputs"]]
        self.assertEqual(2, sum("image/svg+xml" in it for it in forms))
        self.assertEqual(2, sum("text/html" in it for it in forms))

    def test_cells_share_their_names(self) -> None:
        _, title, first, second = self.filled(
            "# %%\nx = 1\n# %% [markdown]\n# # A title\n#\n# text\n# %%\nprint(x)\n# %%\nx + 1"
        )
        self.assertEqual(
            ("markdown", "# A title\n\ntext"), (title["cell_type"], text_of(title["source"]))
        )
        self.assertNotIn("outputs", title)
        self.assertEqual(
            [{"output_type": "stream", "name": "stdout", "text": ["1\n"]}], first["outputs"]
        )
        self.assertEqual({"text/plain": ["2"]}, second["outputs"][0]["data"])

    def test_figures_of_matplotlib_become_images(self) -> None:
        figures = [1]
        figure = types.SimpleNamespace(savefig=lambda file, **_: file.write(b"PNG"))
        pyplot = types.ModuleType("matplotlib.pyplot")
        pyplot.get_fignums = lambda: list(figures)  # type: ignore[attr-defined]
        pyplot.figure = lambda number: figure  # type: ignore[attr-defined]
        pyplot.close = lambda which: figures.clear()  # type: ignore[attr-defined]
        with mock.patch.dict("sys.modules", {"matplotlib.pyplot": pyplot}):
            first, second = self.filled("# %%\nx = 1\n# %%\nx = 2\n")
        image = base64.b64encode(b"PNG").decode()
        self.assertEqual({"image/png": image}, first["outputs"][0]["data"])
        self.assertEqual([], second["outputs"])

    def test_a_failed_cell_leaves_the_notebook_as_it_was(self) -> None:
        self.notebook.write_text("before")
        with self.assertRaises(ZeroDivisionError):
            self.filled("# %%\n1 / 0\n")
        self.assertEqual("before", self.notebook.read_text())
        with (
            mock.patch.object(fill_notebook, "SCRIPT", self.notebook.with_suffix(".py")),
            redirect_stderr(io.StringIO()) as errors,
        ):
            self.assertEqual(1, fill_notebook.main())
        self.assertIn("1 / 0", errors.getvalue())

    def test_the_token_is_never_written(self) -> None:
        with self.assertRaisesRegex(ValueError, "has the token"):
            self.filled("# %%\nimport os\nos.environ['EQUIPOISE_TOKEN']\n")
        self.assertFalse(self.notebook.exists())


class CommittedNotebookTest(unittest.TestCase):
    """Checks the committed notebook, which fill_notebook.py writes."""

    def setUp(self) -> None:
        self.text = fill_notebook.NOTEBOOK.read_text(encoding="utf-8")
        self.notebook = json.loads(self.text)
        self.code = [it for it in self.notebook["cells"] if it["cell_type"] == "code"]
        self.outputs = [it for cell in self.code for it in cell["outputs"]]

    def test_is_a_notebook_in_the_format_of_jupyter(self) -> None:
        self.assertEqual((4, 5), (self.notebook["nbformat"], self.notebook["nbformat_minor"]))
        ids = [cell["id"] for cell in self.notebook["cells"]]
        self.assertEqual(len(ids), len(set(ids)))
        for cell in self.notebook["cells"]:
            wanted = {"cell_type", "id", "metadata", "source"}
            more = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
            self.assertEqual(wanted | more, set(cell))

    def test_has_the_cells_of_the_example(self) -> None:
        expected = fill_notebook.cells(fill_notebook.SCRIPT.read_text(encoding="utf-8"))
        self.assertEqual(
            [(it.is_code, it.source) for it in expected],
            [
                (it["cell_type"] == "code", text_of(it["source"]))
                for it in self.notebook["cells"]
            ],
        )

    def test_each_code_cell_has_outputs(self) -> None:
        empty = [text_of(cell["source"]) for cell in self.code if not cell["outputs"]]
        self.assertEqual([], empty, "execute fill_notebook.py with a running service")

    def test_outputs_end_in_plots(self) -> None:
        images = [
            it for it in self.outputs if {"image/png", "image/svg+xml"} & set(it.get("data", {}))
        ]
        self.assertEqual(2, len(images), "execute fill_notebook.py with a running service")

    def test_outputs_have_no_errors_tokens_or_paths_of_a_machine(self) -> None:
        self.assertNotIn("error", {it["output_type"] for it in self.outputs})
        found = re.findall(r"eq[pjw]_[\w-]{16,}|/root/|/home/|/tmp/|Traceback", self.text)
        self.assertEqual([], found)


if __name__ == "__main__":
    unittest.main()
