"""Writes example.ipynb: the cells of example.py with their outputs from a running service.

    EQUIPOISE_URL=... EQUIPOISE_TOKEN=... python3 clients/python/fill_notebook.py

Executes the cells in this process, without Jupyter, and needs the standard library alone. Figures
of Matplotlib become PNG images where it is installed. Writes nothing if a cell fails.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import linecache
import os
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
SCRIPT = _HERE / "example.py"
NOTEBOOK = _HERE / "example.ipynb"

_FORMS = (("text/html", "_repr_html_"), ("image/svg+xml", "_repr_svg_"))

Json = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """A cell, code or Markdown."""

    is_code: bool
    source: str


def cells(script: str) -> list[Cell]:
    """Splits a script into its cells, which begin with # %%, or # %% [markdown]."""
    found: list[tuple[bool, list[str]]] = []
    for line in script.splitlines():
        if line.startswith("# %%"):
            found.append((line.removeprefix("# %%").strip() != "[markdown]", []))
        elif found:
            is_code, lines = found[-1]
            lines.append(line if is_code else line.removeprefix("#").removeprefix(" "))
    return [Cell(is_code, "\n".join(lines).strip()) for is_code, lines in found]


def fill(script: Path, notebook: Path) -> None:
    """Executes the cells of a script and writes them with their outputs to a notebook."""
    names: Json = {"__name__": "__main__"}
    outputs = [
        executed(cell.source, names, number) if cell.is_code else []
        for number, cell in enumerate(cells(script.read_text(encoding="utf-8")), 1)
    ]
    text = rendered(cells(script.read_text(encoding="utf-8")), outputs)
    token = os.environ.get("EQUIPOISE_TOKEN", "").strip()
    if token and token in text:
        raise ValueError("an output has the token: remove it from the cell")
    notebook.write_text(text, encoding="utf-8")


def executed(source: str, names: Json, number: int) -> list[Json]:
    """Executes a cell; returns its printed text, the value of its last expression and figures."""
    file = f"<cell {number}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    tree = ast.parse(source, file)
    value = None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        if tree.body and isinstance(last := tree.body[-1], ast.Expr):
            exec(compile(ast.Module(tree.body[:-1], []), file, "exec"), names)
            value = eval(compile(ast.Expression(last.value), file, "eval"), names)
        else:
            exec(compile(tree, file, "exec"), names)
    outputs: list[Json] = []
    if printed.getvalue():
        text = _lines(printed.getvalue())
        outputs.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        result = {"output_type": "execute_result", "execution_count": number}
        outputs.append(result | {"data": _forms(value), "metadata": {}})
    return outputs + [
        {"output_type": "display_data", "data": {"image/png": it}, "metadata": {}}
        for it in _figures()
    ]


def _forms(value: object) -> Json:
    """Returns the forms in which a notebook can show a value."""
    forms: Json = {"text/plain": _lines(repr(value))}
    for kind, method in _FORMS:
        shown = getattr(value, method, lambda: None)()
        if shown is not None:
            forms[kind] = _lines(shown)
    if (png := getattr(value, "_repr_png_", lambda: None)()) is not None:
        forms["image/png"] = base64.b64encode(png).decode()
    return forms


def _figures() -> list[str]:
    """Returns the open figures of Matplotlib as PNG in Base64, and closes them."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    images = []
    for number in pyplot.get_fignums():
        image = io.BytesIO()
        pyplot.figure(number).savefig(image, format="png", bbox_inches="tight")
        images.append(base64.b64encode(image.getvalue()).decode())
    pyplot.close("all")
    return images


def rendered(all_cells: list[Cell], outputs: list[list[Json]]) -> str:
    """Returns a notebook, in nbformat 4.5, as JSON."""
    written = []
    for number, (cell, shown) in enumerate(zip(all_cells, outputs, strict=True), 1):
        entry = {
            "cell_type": "code" if cell.is_code else "markdown",
            "id": f"cell-{number}",
            "metadata": {},
            "source": _lines(cell.source),
        }
        if cell.is_code:
            entry |= {"execution_count": number if shown else None, "outputs": shown}
        written.append(entry)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {
        "cells": written,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main() -> int:
    """Fills example.ipynb and returns the exit status."""
    os.environ.setdefault("MPLBACKEND", "agg")
    try:
        fill(SCRIPT, NOTEBOOK)
    except Exception:
        traceback.print_exc()
        return 1
    print(f"filled {NOTEBOOK.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
