"""Computes loss and gradient of the reference networks in PyTorch, in float64, from weights of a formula.

Writes worker-agent/src/test/resources/dev/equipoise/agent/network/torch-networks.json, with which
TorchNetworksTest compares our networks. Run it from the project's root:

    python benchmarks/oracle/networks.py

Weights, inputs and labels follow formulas that the test repeats, so that only results are stored. Our flat
parameter vector holds, layer by layer, a row-major matrix followed by the biases. The rows of a convolution run
over height, width and input channel; those of a recurrent layer over its input and then over its state, without
a second bias; the columns of an LSTM over the gates input, forget, cell, output. Images are height x width x
channels.
"""
import json
import math
import pathlib

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
OUT = pathlib.Path("worker-agent/src/test/resources/dev/equipoise/agent/network/torch-networks.json")
BATCH, STEPS, RATE = 4, 5, 0.01


def f32(values):
    """Rounds values to float32."""
    return values.float().double()


def weights(count):
    """Returns w_i = 0.08 sin(1 + i), whose order follows no layer."""
    return f32(0.08 * torch.sin(1.0 + torch.arange(count).double()))


def values(count):
    """Returns x_i = (1 + cos(0.7 i)) / 2."""
    return f32((1 + torch.cos(0.7 * torch.arange(count).double())) / 2)


class Flat:
    """Divides the flat parameter vector into PyTorch tensors."""

    def __init__(self, flat):
        self.flat, self.at = flat, 0

    def take(self, *shape):
        n = math.prod(shape)
        part = self.flat[self.at:self.at + n].view(*shape)
        self.at += n
        return part

    def convolution(self, x, filters, kernel, padding=0):
        w = self.take(kernel, kernel, x.shape[1], filters).permute(3, 2, 0, 1)
        return F.conv2d(x, w, self.take(filters), padding=padding)

    def dense(self, x, units):
        w = self.take(x.shape[-1], units)
        return x @ w + self.take(units)

    def rnn(self, x, units):
        wx, wh, b = self.take(x.shape[-1], units), self.take(units, units), self.take(units)
        h, out = torch.zeros(x.shape[1], units), []
        for step in x:
            h = torch.tanh(step @ wx + h @ wh + b)
            out.append(h)
        return torch.stack(out)

    def lstm(self, x, units):
        wx, wh = self.take(x.shape[-1], 4 * units), self.take(units, 4 * units)
        cell = torch.nn.LSTM(x.shape[-1], units)
        names = ["weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"]
        given = [wx.T, wh.T, self.take(4 * units), torch.zeros(4 * units)]
        return torch.func.functional_call(cell, dict(zip(names, given)), (x,))[0]

    def embedding(self, words, vocabulary, features):
        return F.embedding(words, self.take(vocabulary, features))


def flatten(x):
    """Flattens row by row, channels innermost."""
    return x.permute(0, 2, 3, 1).reshape(x.shape[0], -1)


def mlp(p, x):
    return p.dense(F.relu(p.dense(flatten(x), 512)), 10)


def mnist_cnn(p, x):
    x = F.max_pool2d(F.relu(p.convolution(x, 20, 5)), 2)
    x = F.max_pool2d(F.relu(p.convolution(x, 50, 5)), 2)
    return p.dense(F.relu(p.dense(flatten(x), 500)), 10)


def cifar_cnn(p, x):
    x = F.max_pool2d(F.relu(p.convolution(x, 32, 3, 1)), 2)
    x = F.max_pool2d(F.relu(p.convolution(x, 64, 3, 1)), 2)
    return p.dense(F.relu(p.dense(flatten(x), 512)), 10)


def cifar_quick(p, x):
    x = F.relu(F.max_pool2d(p.convolution(x, 32, 5, 2), 3, 2, ceil_mode=True))
    x = F.avg_pool2d(F.relu(p.convolution(x, 32, 5, 2)), 3, 2, ceil_mode=True)
    x = F.avg_pool2d(F.relu(p.convolution(x, 64, 5, 2)), 3, 2, ceil_mode=True)
    return p.dense(p.dense(flatten(x), 64), 10)


def feed_forward_lm(p, words):
    x = p.embedding(words, 60, 12)  # position, sample, feature
    x = x.permute(1, 0, 2).reshape(x.shape[1], -1)
    return p.dense(torch.tanh(p.dense(x, 12)), 60)


def rnn_lm(p, words):
    return p.dense(p.rnn(p.embedding(words, 60, 12), 12), 60)


def lstm_lm(p, words):
    return p.dense(p.lstm(p.embedding(words, 60, 12), 12), 60)


NETS = {
    "mlp-784-512-10": (mlp, (28, 28, 1), 407_050),
    "mnist-cnn": (mnist_cnn, (28, 28, 1), 431_080),
    "cifar-cnn": (cifar_cnn, (32, 32, 3), 2_122_186),
    "cifar-quick": (cifar_quick, (32, 32, 3), 145_578),
    "feed-forward-lm": (feed_forward_lm, 4, 60 * 12 + 48 * 12 + 12 + 12 * 60 + 60),
    "rnn-lm": (rnn_lm, 7, 60 * 12 + 24 * 12 + 12 + 12 * 60 + 60),
    "lstm-lm": (lstm_lm, 7, 60 * 12 + 24 * 48 + 48 + 12 * 60 + 60),
}


def sample(name, shape):
    """Returns images in PyTorch's layout, or time-major words, and the labels in the order of the scores."""
    if isinstance(shape, tuple):
        h, w, c = shape
        x = values(BATCH * h * w * c).view(BATCH, h, w, c).permute(0, 3, 1, 2)
        return x, torch.arange(BATCH) * 3 % 10
    words = (torch.arange(shape * BATCH) * 17 % 60).view(shape, BATCH)
    labels = torch.arange((1 if name == "feed-forward-lm" else shape) * BATCH) * 11 % 60
    return words, labels


def measure(name):
    net, shape, count = NETS[name]
    flat = weights(count).requires_grad_()
    x, y = sample(name, shape)

    def loss():
        p = Flat(flat)
        scores = net(p, x)
        assert p.at == count, (name, p.at)
        return F.cross_entropy(scores.reshape(-1, scores.shape[-1]), y)

    first = loss()
    gradient, = torch.autograd.grad(first, flat)
    picked = [i * (count - 1) // 40 for i in range(41)]
    result = {
        "name": name,
        "loss": first.item(),
        "gradientNorm": gradient.norm().item(),
        "picked": picked,
        "gradient": gradient[picked].tolist(),
    }
    for _ in range(STEPS):
        gradient, = torch.autograd.grad(loss(), flat)
        with torch.no_grad():
            flat -= RATE * gradient
    result["lossAfterSteps"] = loss().item()
    return result


OUT.parent.mkdir(parents=True, exist_ok=True)
OUT.write_text(json.dumps([measure(name) for name in NETS], indent=1) + "\n")
