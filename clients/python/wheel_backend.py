"""PEP 517 build backend that packages the client with the standard library alone.

    python3 -m pip wheel --no-index --no-deps clients/python

The wheel has the one file as the package `equipoise`, because PEP 561 accepts the marker `py.typed`
in packages only. The version is `__version__` of the file. A wheel of the same files has the same
bytes. Fields of `[project]` that this backend does not know are an error.
"""

from __future__ import annotations

import ast
import base64
import gzip
import hashlib
import io
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent
_MODULE = "equipoise.py"
_SOURCES = ("LICENSE", "README.md", _MODULE, "pyproject.toml", "wheel_backend.py")
_KNOWN = frozenset(
    {
        "classifiers",
        "description",
        "dynamic",
        "keywords",
        "license",
        "license-files",
        "name",
        "optional-dependencies",
        "readme",
        "requires-python",
        "scripts",
    }
)


def build_wheel(
    wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None
) -> str:
    """Writes the wheel into a folder and returns its file name."""
    _require_no_settings(config_settings)
    project = _project()
    prefix = f"{project['name']}-{_version()}"
    files = {
        f"{project['name']}/__init__.py": _read(_MODULE),
        f"{project['name']}/py.typed": b"",
        **{
            f"{prefix}.dist-info/licenses/{name}": _read(name) for name in project["license-files"]
        },
        f"{prefix}.dist-info/METADATA": _metadata(project),
        f"{prefix}.dist-info/WHEEL": b"Wheel-Version: 1.0\nGenerator: wheel_backend\n"
        b"Root-Is-Purelib: true\nTag: py3-none-any\n",
        f"{prefix}.dist-info/entry_points.txt": _entry_points(project),
    }
    record = f"{prefix}.dist-info/RECORD"
    files[record] = "".join([*map(_recorded, files.items()), f"{record},,\n"]).encode()
    name = f"{prefix}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = 0o100644 << 16
            wheel.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return name


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """Writes the source distribution into a folder and returns its file name."""
    _require_no_settings(config_settings)
    project = _project()
    prefix = f"{project['name']}-{_version()}"
    files = {name: _read(name) for name in _SOURCES} | {"PKG-INFO": _metadata(project)}
    name = f"{prefix}.tar.gz"
    with (
        Path(sdist_directory, name).open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for path, content in files.items():
            entry = tarfile.TarInfo(f"{prefix}/{path}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return name


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads(_read("pyproject.toml").decode())["project"]
    if unknown := sorted(project.keys() - _KNOWN):
        raise ValueError(f"wheel_backend does not know these fields of [project]: {unknown}")
    return project


def _version() -> str:
    for statement in ast.parse(_read(_MODULE)).body:
        match statement:
            case ast.Assign([ast.Name("__version__")], ast.Constant(str(version))):
                return version
    raise ValueError(f"{_MODULE} must assign a text to __version__")


def _metadata(project: dict[str, Any]) -> bytes:
    """Returns the core metadata, in version 2.4, as PEP 639 needs it."""
    fields = [
        ("Metadata-Version", "2.4"),
        ("Name", project["name"]),
        ("Version", _version()),
        ("Summary", project["description"]),
        ("Keywords", ",".join(project["keywords"])),
        ("License-Expression", project["license"]),
        *(("License-File", name) for name in project["license-files"]),
        *(("Classifier", it) for it in project["classifiers"]),
        ("Requires-Python", project["requires-python"]),
    ]
    for extra, requirements in project["optional-dependencies"].items():
        fields.append(("Provides-Extra", extra))
        fields += [("Requires-Dist", f'{it}; extra == "{extra}"') for it in requirements]
    fields.append(("Description-Content-Type", "text/markdown"))
    head = "".join(f"{name}: {value}\n" for name, value in fields)
    return head.encode() + b"\n" + _read(project["readme"])


def _entry_points(project: dict[str, Any]) -> bytes:
    scripts = [f"{name} = {function}\n" for name, function in project["scripts"].items()]
    return "".join(["[console_scripts]\n", *scripts]).encode()


def _recorded(file: tuple[str, bytes]) -> str:
    path, content = file
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    return f"{path},sha256={digest},{len(content)}\n"


def _read(name: str) -> bytes:
    return (_FOLDER / name).read_bytes()


def _require_no_settings(settings: Any) -> None:
    if settings:
        raise ValueError(f"wheel_backend has no settings, but was given {settings}")
