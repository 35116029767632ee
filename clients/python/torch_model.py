"""Loads the file of a trained model into PyTorch, and evaluates it on images in IDX files.

    python3 torch_model.py MODEL t10k-images-idx3-ubyte t10k-labels-idx1-ubyte

Needs PyTorch 1.13 or newer, and nothing else. The images and the labels may be packed as *.gz. In a program:

    model = load("model.safetensors")
    scores = model(raw)  # of raw values: images as samples, channels, height, width; words as samples, positions
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import struct
import sys
from pathlib import Path
from typing import Any

MAX_HEADER_BYTES = 16 << 20


def header(path: str | Path) -> tuple[dict[str, str], dict[str, Any], int]:
    """Returns the metadata of a safetensors file, its tensors by name, and the offset of their data."""
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if length > MAX_HEADER_BYTES:
            raise ValueError(f"the header of {path} has {length} bytes: at most {MAX_HEADER_BYTES}")
        tensors = json.loads(file.read(length))
    return tensors.pop("__metadata__", {}), tensors, 8 + length


try:
    import torch
    from torch import nn
except ImportError:  # The header can be read without PyTorch.
    torch = None  # type: ignore[assignment]
else:

    class LastChannels(nn.Module):
        """Flattens images with their channels innermost."""

        def forward(self, images: torch.Tensor) -> torch.Tensor:
            return images.permute(0, 2, 3, 1).flatten(1)

    class Model(nn.Module):
        """Network of a model file; its state dict has the names and shapes of the file's tensors."""

        def __init__(self, metadata: dict[str, str]) -> None:
            super().__init__()
            network = json.loads(metadata["network"])
            self.class_names = json.loads(metadata.get("class_names", "[]"))
            self.normalization = json.loads(metadata.get("normalization", "null"))
            self.layers = nn.ModuleList(_modules(network["input"], network["layers"]))

        def forward(self, raw: torch.Tensor) -> torch.Tensor:
            values = self.normalize(raw) if self.normalization else raw
            for layer in self.layers:
                values = layer(values)
                if isinstance(values, tuple):  # A recurrent layer also returns its last state.
                    values = values[0]
            return values

        def normalize(self, raw: torch.Tensor) -> torch.Tensor:
            """Returns (raw / divisor - mean) / deviation for each channel or feature."""
            sides = (-1, 1, 1) if raw.dim() == 4 else (-1,)
            mean = torch.tensor(self.normalization["mean"]).view(sides)
            deviation = torch.tensor(self.normalization["deviation"]).view(sides)
            return (raw.float() / self.normalization["divisor"] - mean) / deviation

    def _modules(shape: dict[str, Any], layers: list[dict[str, Any]]) -> list[nn.Module]:
        kinds = [next(iter(layer)) for layer in layers]
        # The rows of a dense layer behind an image are stored for channels first; scores are not.
        behind = kinds[kinds.index("flatten"):] if "flatten" in kinds else []
        flatten = nn.Flatten if "dense" in behind else LastChannels
        sides = _sides(shape)
        modules = []
        for layer in layers:
            ((kind, options),) = layer.items()
            if kind == "flatten":
                module: nn.Module = flatten() if len(sides) == 3 else nn.Flatten()
            else:
                module = _module(kind, options, sides)
            sides = _output(kind, options, sides)
            modules.append(module)
        return modules

    def _module(kind: str, options: dict[str, Any], sides: list[int]) -> nn.Module:
        if kind == "dense":
            return nn.Linear(sides[-1], options["units"])
        if kind == "conv2d":
            return nn.Conv2d(
                sides[0], options["filters"], options["kernel"], options["stride"], options["padding"]
            )
        if kind == "maxPool":
            return nn.MaxPool2d(
                options["size"], options["stride"], options["padding"], ceil_mode=options["rounding"] == "up"
            )
        if kind == "averagePool":
            return nn.AvgPool2d(
                options["size"],
                options["stride"],
                options["padding"],
                ceil_mode=options["rounding"] == "up",
                count_include_pad=False,
            )
        if kind == "embedding":
            return nn.Embedding(sides[-1], options["features"])
        if kind == "rnn":
            return nn.RNN(sides[-1], options["units"], batch_first=True)
        if kind == "lstm":
            return nn.LSTM(sides[-1], options["units"], batch_first=True)
        elementwise = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh}
        return nn.Dropout(options["rate"]) if kind == "dropout" else elementwise[kind]()

    def load(path: str | Path) -> Model:
        """Returns the network of a model file, with its parameters, ready to evaluate."""
        metadata, tensors, start = header(path)
        data = Path(path).read_bytes()[start:]
        state = {}
        for name, tensor in tensors.items():
            begin, end = tensor["data_offsets"]
            # A copy, since PyTorch warns of memory that it may not write to.
            values = torch.frombuffer(bytearray(data[begin:end]), dtype=torch.float32)
            state[name] = values.reshape(tensor["shape"])
        model = Model(metadata)
        model.load_state_dict(state)
        return model.eval()

    @torch.no_grad()
    def accuracy(model: Model, raw: torch.Tensor, labels: torch.Tensor, batch: int = 256) -> float:
        """Returns the share of predictions that equal the labels, from 0 to 1."""
        correct = 0
        for start in range(0, len(raw), batch):
            predicted = model(raw[start:start + batch]).argmax(-1)
            correct += int((predicted == labels[start:start + batch]).sum())
        return correct / labels.numel()

    def idx(path: str | Path) -> torch.Tensor:
        """Returns the bytes of an IDX file in its own shape."""
        content = Path(path).read_bytes()
        content = gzip.decompress(content) if str(path).endswith(".gz") else content
        dimensions = content[3]
        shape = struct.unpack_from(f">{dimensions}I", content, 4)
        return torch.frombuffer(bytearray(content[4 + 4 * dimensions:]), dtype=torch.uint8).reshape(shape)


def _sides(shape: dict[str, Any]) -> list[int]:
    """Returns the sides of a sample; of words, their number and that of all words."""
    if shape["kind"] == "image":
        return [shape["channels"], shape["height"], shape["width"]]
    if shape["kind"] == "tokens":
        return [shape["length"], shape["vocabulary"]]
    return [shape["length"]]


def _output(kind: str, options: dict[str, Any], sides: list[int]) -> list[int]:
    """Returns the sides of a sample behind a layer."""
    if kind in ("dense", "rnn", "lstm"):
        return sides[:-1] + [options["units"]]
    if kind == "embedding":
        return sides[:-1] + [options["features"]]
    if kind == "flatten":
        return [math.prod(sides)]
    if kind == "conv2d":
        window = {**options, "size": options["kernel"], "rounding": "down"}
        return [options["filters"]] + [_places(window, side) for side in sides[1:]]
    if kind in ("maxPool", "averagePool"):
        return [sides[0]] + [_places(options, side) for side in sides[1:]]
    return sides


def _places(window: dict[str, Any], side: int) -> int:
    """Returns the number of places of a window along a side of an image."""
    span = side + 2 * window["padding"] - window["size"]
    if window["rounding"] == "down":
        return 1 + span // window["stride"]
    places = 1 - (-span // window["stride"])
    begins_beyond = (places - 1) * window["stride"] >= side + window["padding"]
    return places - 1 if begins_beyond else places


def main() -> int:
    parser = argparse.ArgumentParser(description="Evaluates a trained model in PyTorch on images in IDX files.")
    parser.add_argument("model", metavar="MODEL", help="file of a trained model")
    parser.add_argument("images", metavar="IMAGES", help="IDX file of gray images")
    parser.add_argument("labels", metavar="LABELS", help="IDX file of their labels")
    options = parser.parse_args()
    if torch is None:
        print("torch_model.py needs PyTorch: pip install torch", file=sys.stderr)
        return 1
    images, labels = idx(options.images), idx(options.labels)
    share = accuracy(load(options.model), images.unsqueeze(1), labels)
    print(f"accuracy {share:.4f} on {len(labels)} samples")
    return 0


if __name__ == "__main__":
    sys.exit(main())
