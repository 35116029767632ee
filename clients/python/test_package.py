"""Tests the wheel: what it contains, and the client as installed into a fresh environment."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import tarfile
import tempfile
import unittest
import venv
import zipfile
from pathlib import Path
from typing import Any
from unittest import mock

import equipoise
import wheel_backend
from test_equipoise import RUN, TOKEN, TestingService, full

HERE = Path(__file__).parent
NAME = f"equipoise-{equipoise.__version__}"


class VersionTest(unittest.TestCase):
    def test_client_has_the_version_of_the_product(self) -> None:
        pom = HERE.parents[1].joinpath("pom.xml").read_text(encoding="utf-8")
        product = re.search(r"<version>(\d+\.\d+\.\d+)(-SNAPSHOT)?</", pom)
        assert product is not None
        suffix = ".dev0" if product[2] else ""
        self.assertEqual(product[1] + suffix, equipoise.__version__)

    def test_requests_name_the_version(self) -> None:
        service = TestingService()
        self.addCleanup(service.close)
        service.plays("GET version", {"version": "0.1.0"})
        with mock.patch.dict(os.environ, no_proxy="127.0.0.1"):
            equipoise.Client(service.url, TOKEN).version()
        agent = service.requests[0].headers["user-agent"]
        self.assertEqual(f"equipoise-python/{equipoise.__version__}", agent)


class TypedTest(unittest.TestCase):
    def test_every_function_says_its_types(self) -> None:
        tree = ast.parse(HERE.joinpath("equipoise.py").read_text(encoding="utf-8"))
        functions = [
            it for it in ast.walk(tree) if isinstance(it, (ast.FunctionDef, ast.AsyncFunctionDef))
        ]
        self.assertGreater(len(functions), 200)
        untyped = [
            f"{function.name}({argument.arg}), line {function.lineno}"
            for function in functions
            for argument in self.arguments(function)
            if argument.annotation is None and argument.arg not in ("self", "cls")
        ]
        untyped += [f"{it.name}, line {it.lineno}" for it in functions if it.returns is None]
        self.assertEqual([], untyped)

    @staticmethod
    def arguments(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
        all_of_them = function.args
        some = [it for it in (all_of_them.vararg, all_of_them.kwarg) if it is not None]
        return [*all_of_them.posonlyargs, *all_of_them.args, *all_of_them.kwonlyargs, *some]


class BackendTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def wheel(self, backend: Any, folder: str) -> bytes:
        made = self.folder / folder
        made.mkdir()
        return (made / backend.build_wheel(str(made))).read_bytes()

    def test_wheel_is_a_typed_package_with_the_license(self) -> None:
        self.wheel(wheel_backend, "made")
        with zipfile.ZipFile(self.folder / "made" / f"{NAME}-py3-none-any.whl") as wheel:
            self.assertEqual(
                {
                    "equipoise/__init__.py",
                    "equipoise/py.typed",
                    *(
                        f"{NAME}.dist-info/{name}"
                        for name in (
                            "METADATA",
                            "RECORD",
                            "WHEEL",
                            "entry_points.txt",
                            "licenses/LICENSE",
                        )
                    ),
                },
                set(wheel.namelist()),
            )
            self.assertEqual(
                HERE.joinpath("equipoise.py").read_bytes(), wheel.read("equipoise/__init__.py")
            )
            metadata = wheel.read(f"{NAME}.dist-info/METADATA").decode()
        self.assertIn("\nLicense-Expression: Apache-2.0\n", metadata)
        needed = re.findall(r"^Requires-Dist: (.*)$", metadata, re.MULTILINE)
        self.assertEqual([], [it for it in needed if "extra ==" not in it])

    def test_source_distribution_builds_the_same_wheel(self) -> None:
        name = wheel_backend.build_sdist(str(self.folder))
        with tarfile.open(self.folder / name) as archive:
            self.folder.joinpath(NAME).mkdir()
            for member in archive.getmembers():
                content = archive.extractfile(member)
                assert content is not None
                self.folder.joinpath(member.name).write_bytes(content.read())
        spec = importlib.util.spec_from_file_location(
            "unpacked_backend", self.folder / NAME / "wheel_backend.py"
        )
        assert spec is not None and spec.loader is not None
        unpacked = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(unpacked)
        self.assertEqual(self.wheel(wheel_backend, "one"), self.wheel(unpacked, "other"))

    def test_rejects_settings_and_unknown_fields(self) -> None:
        with self.assertRaises(ValueError):
            wheel_backend.build_wheel(str(self.folder), {"fast": "yes"})
        known = mock.patch.object(wheel_backend, "_KNOWN", frozenset({"name"}))
        with known, self.assertRaisesRegex(ValueError, "does not know .*'description'"):
            wheel_backend.build_wheel(str(self.folder))


class InstalledTest(unittest.TestCase):
    """Installs the wheel with pip, without network, into an environment that has nothing else."""

    @classmethod
    def setUpClass(cls) -> None:
        if importlib.util.find_spec("ensurepip") is None:
            reason = "ensurepip is not installed; Debian's package is python3-venv"
            if os.environ.get("CI", "false") not in ("false", "0"):
                raise AssertionError(f"the wheel cannot be tested: {reason}")
            raise unittest.SkipTest(reason)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        venv.create(cls.folder / "fresh", with_pip=True, symlinks=True)
        cls.bin = cls.folder / "fresh" / ("Scripts" if os.name == "nt" else "bin")
        options = ["--no-index", "--no-deps", "--disable-pip-version-check", "--no-cache-dir"]
        cls.run_in_it("python", "-m", "pip", "wheel", *options, "-w", str(cls.folder), str(HERE))
        wheel = cls.folder / f"{NAME}-py3-none-any.whl"
        cls.run_in_it("python", "-m", "pip", "install", *options, str(wheel))

    @classmethod
    def run_in_it(cls, command: str, *arguments: str, **environment: str) -> str:
        ended = subprocess.run(
            [cls.bin / command, *arguments],
            cwd=cls.folder,
            env={
                **{name: it for name, it in os.environ.items() if not name.startswith("PYTHON")},
                "PIP_CONFIG_FILE": os.devnull,
                "no_proxy": "127.0.0.1",
                **environment,
            },
            capture_output=True,
            text=True,
        )
        if ended.returncode != 0:
            raise AssertionError(f"{command} {arguments}: {ended.stdout}\n{ended.stderr}")
        return ended.stdout

    def test_imports_the_installed_package(self) -> None:
        script = (
            "import equipoise, importlib.metadata as m, importlib.resources as r;"
            "print(equipoise.__version__, m.version('equipoise'),"
            " r.files(equipoise).joinpath('py.typed').is_file(), equipoise.__file__)"
        )
        known, stated, typed, file = self.run_in_it("python", "-I", "-c", script).split()
        self.assertEqual((equipoise.__version__, known, "True"), (stated, known, typed))
        self.assertTrue(Path(file).is_relative_to(self.folder.resolve()), file)

    def test_installs_nothing_else(self) -> None:
        script = "import importlib.metadata as m; print(*(it.name for it in m.distributions()))"
        installed = set(self.run_in_it("python", "-I", "-c", script).split())
        self.assertEqual({"equipoise"}, installed - {"pip", "setuptools"})

    def test_command_waits_for_a_run(self) -> None:
        service = TestingService()
        self.addCleanup(service.close)
        service.plays(f"GET runs/{RUN}", full(state="COMPLETED", epoch=2))
        said = self.run_in_it(
            "equipoise-client", "wait", RUN, EQUIPOISE_URL=service.url, EQUIPOISE_TOKEN=TOKEN
        )
        self.assertEqual("probe: seed 1: completed\n", said)

    def test_command_tells_its_version(self) -> None:
        version = self.run_in_it("equipoise-client", "--version").strip()
        self.assertEqual(equipoise.__version__, version)


if __name__ == "__main__":
    unittest.main()
