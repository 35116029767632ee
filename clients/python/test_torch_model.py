"""Tests that PyTorch computes the scores of model files; benchmarks/oracle/models.py made the files and the scores."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import torch_model

MODELS = Path(__file__).parents[2] / "worker-agent/src/test/resources/dev/equipoise/agent/model"


class HeaderTest(unittest.TestCase):
    def test_header_has_metadata_and_tensors(self) -> None:
        metadata, tensors, start = torch_model.header(MODELS / "digits.safetensors")

        self.assertEqual(json.loads(metadata["input_shape"]), [1, 8, 8])
        self.assertEqual(tensors["layers.4.weight"]["shape"], [10, 32])
        self.assertEqual(start % 8, 0)

    def test_other_files_are_refused(self) -> None:
        with tempfile.NamedTemporaryFile() as file:
            Path(file.name).write_bytes(b"PK\x03\x04 and what a ZIP archive has")

            with self.assertRaisesRegex(ValueError, "the header of .* has .* bytes: at most 16777216"):
                torch_model.header(file.name)

    def test_places_of_windows_follow_the_rounding(self) -> None:
        self.assertEqual(torch_model._places({"size": 3, "stride": 2, "padding": 0, "rounding": "up"}, 8), 4)
        self.assertEqual(torch_model._places({"size": 3, "stride": 2, "padding": 0, "rounding": "down"}, 8), 3)
        # A window that begins beyond the image is left out.
        self.assertEqual(torch_model._places({"size": 2, "stride": 3, "padding": 1, "rounding": "up"}, 5), 2)


@unittest.skipUnless(torch_model.torch, "PyTorch is not installed")
class TorchModelTest(unittest.TestCase):
    def setUp(self) -> None:
        self.expected = json.loads((MODELS / "scores.json").read_text())

    def test_scores_of_images_equal_the_oracle(self) -> None:
        self.assert_scores("digits", self.digits())

    def test_scores_of_averaged_images_equal_the_oracle(self) -> None:
        self.assert_scores("digits-average", self.digits())

    def test_scores_of_words_equal_the_oracle(self) -> None:
        for name in ("words", "words-rnn"):
            with self.subTest(name):
                samples = [one["sample"] for one in self.expected[name]]

                self.assert_scores(name, torch_model.torch.tensor(samples))

    def digits(self):
        samples = [one["sample"] for one in self.expected["digits"]]
        return torch_model.torch.tensor(samples).view(-1, 1, 8, 8)

    def assert_scores(self, name, raw) -> None:
        model = torch_model.load(MODELS / (name + ".safetensors"))
        expected = torch_model.torch.tensor([one["scores"] for one in self.expected[name]])
        with torch_model.torch.no_grad():
            torch_model.torch.testing.assert_close(model(raw), expected, atol=1e-5, rtol=1e-5)

    def test_command_prints_the_accuracy(self) -> None:
        labels = [one["scores"].index(max(one["scores"])) for one in self.expected["digits"]]
        labels[3] = (labels[3] + 1) % 10
        pixels = bytes(pixel for one in self.expected["digits"] for pixel in one["sample"])
        with tempfile.TemporaryDirectory() as folder:
            images, classes = Path(folder, "images"), Path(folder, "labels")
            images.write_bytes(struct.pack(">4B3I", 0, 0, 8, 3, len(labels), 8, 8) + pixels)
            classes.write_bytes(struct.pack(">4BI", 0, 0, 8, 1, len(labels)) + bytes(labels))
            script = Path(__file__).with_name("torch_model.py")
            ended = subprocess.run(
                [sys.executable, script, MODELS / "digits.safetensors", images, classes],
                env=os.environ,
                capture_output=True,
                text=True,
                check=True,
            )

        self.assertEqual(ended.stdout, "accuracy 0.9500 on 20 samples\n")


if __name__ == "__main__":
    unittest.main()
