"""Writes small model files and the scores of their networks, computed in plain Python, in float64.

Writes {digits,digits-average,words,words-rnn}.safetensors and scores.json below
worker-agent/src/test/resources/dev/equipoise/agent/model, with which TrainedModelFileTest and
clients/python/test_torch_model.py compare what they read. Run it from the project's root:

    python3 benchmarks/oracle/models.py

Parameters and samples follow formulas of integers that are exact in float32, so that a test can repeat them. Our
flat parameter vector holds, layer by layer, a row-major matrix followed by the biases (see networks.py); the files
have PyTorch's names and layouts (docs/models.md).
"""
import json
import math
import pathlib
import struct

OUT = pathlib.Path("worker-agent/src/test/resources/dev/equipoise/agent/model")
RUN = "00000000-0000-0000-0000-000000000033"
SAMPLES = 20


def parameter(index):
    """Returns a parameter of the flat vector, within 0.25 of 0."""
    return ((index * 7919 + 17) % 2003 - 1001) / 4096


class Flat:
    """Takes the layers' parameters from the flat vector, one after the other."""

    def __init__(self):
        self.at = 0

    def take(self, count):
        self.at += count
        return [parameter(i) for i in range(self.at - count, self.at)]

    def matrix(self, rows, columns):
        flat = self.take(rows * columns)
        return [flat[row * columns:(row + 1) * columns] for row in range(rows)]


def transposed(matrix):
    return [list(column) for column in zip(*matrix)]


def times(vector, matrix, bias):
    return [b + sum(x * w for x, w in zip(vector, column)) for column, b in zip(transposed(matrix), bias)]


def flat(nested):
    return [value for part in nested for value in flat(part)] if isinstance(nested, list) else [nested]


def shape(nested):
    return [len(nested)] + shape(nested[0]) if isinstance(nested, list) else []


# Optical digits: 8x8 gray levels up to 16, a convolution of two filters, a pooling that rounds up, a dense layer.

SIDE, FILTERS, KERNEL, CLASSES, LEVELS, MEAN, DEVIATION = 8, 2, 3, 10, 16, 0.25, 0.5


def digit(sample):
    """Returns the gray levels of a sample, row by row."""
    return [(sample * 31 + pixel * 17 + sample * pixel) % (LEVELS + 1) for pixel in range(SIDE * SIDE)]


def digits_network(parameters):
    convolution = parameters.matrix(KERNEL * KERNEL, FILTERS), parameters.take(FILTERS)
    dense = parameters.matrix(4 * 4 * FILTERS, CLASSES), parameters.take(CLASSES)
    return convolution, dense


def mean(values):
    return sum(values) / len(values)


def digits_scores(network, gray, pool=max):
    (filters, filter_bias), (weights, bias) = network
    image = [(value / LEVELS - MEAN) / DEVIATION for value in gray]
    planes = []
    for row in range(SIDE):
        for column in range(SIDE):
            patch = [
                image[r * SIDE + c] if 0 <= r < SIDE and 0 <= c < SIDE else 0
                for r in range(row - 1, row + 2) for c in range(column - 1, column + 2)
            ]
            planes.append([max(0, value) for value in times(patch, filters, filter_bias)])
    pooled = []  # Windows of 3x3 at a stride of 2; the last ones extend beyond the image.
    for row in range(0, SIDE, 2):
        for column in range(0, SIDE, 2):
            for plane in range(FILTERS):
                pooled.append(pool([
                    planes[r * SIDE + c][plane]
                    for r in range(row, min(row + 3, SIDE)) for c in range(column, min(column + 3, SIDE))
                ]))
    return times(pooled, weights, bias)


def digits_tensors(network):
    (filters, filter_bias), (weights, bias) = network
    return {
        "layers.0.weight": [
            [[[filters[r * KERNEL + c][f] for c in range(KERNEL)] for r in range(KERNEL)]] for f in range(FILTERS)
        ],
        "layers.0.bias": filter_bias,
        # Channels first in PyTorch, and last in our rows.
        "layers.4.weight": [
            [weights[pixel * FILTERS + plane][k] for plane in range(FILTERS) for pixel in range(16)]
            for k in range(CLASSES)
        ],
        "layers.4.bias": bias,
    }


DIGITS = {
    "network": {
        "name": "digits",
        "input": {"kind": "image", "height": SIDE, "width": SIDE, "channels": 1},
        "layers": [
            {"conv2d": {"filters": FILTERS, "kernel": KERNEL, "stride": 1, "padding": 1}},
            {"relu": {}},
            {"maxPool": {"size": 3, "stride": 2, "padding": 0, "rounding": "up"}},
            {"flatten": {}},
            {"dense": {"units": CLASSES}},
        ],
    },
    "dataset": {
        "name": "optdigits",
        "normalisation": {"kind": "standardise", "mean": [MEAN], "deviation": [DEVIATION]},
        "limit": 100,
    },
    "loss": {"kind": "softmax-cross-entropy", "reduction": "mean"},
    "normalization": {"divisor": LEVELS, "mean": [MEAN], "deviation": [DEVIATION]},
    "class_names": [str(k) for k in range(CLASSES)],
    "input_shape": [1, SIDE, SIDE],
}


def averaged(description):
    """Returns the description of a network whose pooling takes means instead of maxima."""
    layers = [
        {"averagePool": layer["maxPool"]} if "maxPool" in layer else layer
        for layer in description["network"]["layers"]
    ]
    return {**description, "network": {**description["network"], "name": "digits-average", "layers": layers}}


# Words: an embedding, an LSTM and a dense layer; a score for each word at each position.

LENGTH, VOCABULARY, FEATURES, UNITS = 5, 11, 3, 4


def sentence(sample):
    return [(sample * 5 + position * 3) % VOCABULARY for position in range(LENGTH)]


def words_network(parameters, gates=4):
    """Takes the parameters of an LSTM, or with one gate those of a plain recurrent layer."""
    width = gates * UNITS
    embedding = parameters.matrix(VOCABULARY, FEATURES)
    recurrent = parameters.matrix(FEATURES, width), parameters.matrix(UNITS, width), parameters.take(width)
    dense = parameters.matrix(UNITS, VOCABULARY), parameters.take(VOCABULARY)
    return embedding, recurrent, dense


def sigmoid(value):
    return 1 / (1 + math.exp(-value))


def words_scores(network, words):
    embedding, (by_input, by_state, gate_bias), (weights, bias) = network
    state, cell, scores = [0] * UNITS, [0] * UNITS, []
    for word in words:
        gates = times(embedding[word] + state, by_input + by_state, gate_bias)
        for unit in range(UNITS):
            admit, forget, candidate, emit = gates[unit::UNITS]
            cell[unit] = sigmoid(forget) * cell[unit] + sigmoid(admit) * math.tanh(candidate)
            state[unit] = sigmoid(emit) * math.tanh(cell[unit])
        scores.append(times(state, weights, bias))
    return scores


def rnn_scores(network, words):
    embedding, (by_input, by_state, state_bias), (weights, bias) = network
    state, scores = [0] * UNITS, []
    for word in words:
        state = [math.tanh(value) for value in times(embedding[word] + state, by_input + by_state, state_bias)]
        scores.append(times(state, weights, bias))
    return scores


def words_tensors(network):
    embedding, (by_input, by_state, gate_bias), (weights, bias) = network
    return {
        "layers.0.weight": embedding,
        "layers.1.weight_ih_l0": transposed(by_input),
        "layers.1.weight_hh_l0": transposed(by_state),
        "layers.1.bias_ih_l0": gate_bias,
        "layers.1.bias_hh_l0": [0.0] * len(gate_bias),
        "layers.2.weight": transposed(weights),
        "layers.2.bias": bias,
    }


WORDS = {
    "network": {
        "name": "words",
        "input": {"kind": "tokens", "length": LENGTH, "vocabulary": VOCABULARY},
        "layers": [
            {"embedding": {"features": FEATURES}},
            {"lstm": {"units": UNITS}},
            {"dense": {"units": VOCABULARY}},
        ],
    },
    "dataset": {
        "name": "brown", "view": "sequences", "vocabulary": VOCABULARY, "length": LENGTH, "limit": 100,
    },
    "loss": {"kind": "softmax-cross-entropy", "reduction": "mean"},
    "input_shape": [LENGTH],
}


def plainly_recurrent(description):
    """Returns the description of a network whose recurrent layer has no gates."""
    layers = [
        {"rnn": layer["lstm"]} if "lstm" in layer else layer for layer in description["network"]["layers"]
    ]
    return {**description, "network": {**description["network"], "name": "words-rnn", "layers": layers}}


def write(name, tensors, description):
    """Writes a safetensors file."""
    texts = {key: json.dumps(value) for key, value in description.items()}
    header = {"__metadata__": {"format": "pt", "equipoise_model": "1", "run": RUN, "epoch": "3", **texts}}
    data = b""
    for tensor, nested in tensors.items():
        part = b"".join(struct.pack("<f", value) for value in flat(nested))
        header[tensor] = {
            "dtype": "F32", "shape": shape(nested), "data_offsets": [len(data), len(data) + len(part)],
        }
        data += part
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    (OUT / (name + ".safetensors")).write_bytes(struct.pack("<Q", len(text)) + text + data)


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    digits, words, rnn = digits_network(Flat()), words_network(Flat()), words_network(Flat(), 1)
    write("digits", digits_tensors(digits), DIGITS)
    write("digits-average", digits_tensors(digits), averaged(DIGITS))
    write("words", words_tensors(words), WORDS)
    write("words-rnn", words_tensors(rnn), plainly_recurrent(WORDS))
    scores = {
        "digits": [{"sample": digit(i), "scores": digits_scores(digits, digit(i))} for i in range(SAMPLES)],
        "digits-average": [
            {"sample": digit(i), "scores": digits_scores(digits, digit(i), mean)} for i in range(SAMPLES)
        ],
        "words": [{"sample": sentence(i), "scores": words_scores(words, sentence(i))} for i in range(SAMPLES)],
        "words-rnn": [{"sample": sentence(i), "scores": rnn_scores(rnn, sentence(i))} for i in range(SAMPLES)],
    }
    (OUT / "scores.json").write_text(json.dumps(scores) + "\n")


if __name__ == "__main__":
    main()
