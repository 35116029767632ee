"""Writes trajectories of PyTorch's optimizers and schedules, in float64, as a reference for the agent's tests.

    python optimizers.py > ../../worker-agent/src/test/resources/dev/equipoise/agent/optimizer/oracle.json
"""

import json

import torch

STEPS = 12
SIZE = 5
STEPS_PER_EPOCH = 3
EPOCHS = STEPS // STEPS_PER_EPOCH
WARM_UP_STEPS = 4

torch.set_default_dtype(torch.float64)
random = torch.Generator().manual_seed(1)


def drawn(*shape):
    return torch.randn(*shape, generator=random, dtype=torch.float32)


# All values are drawn in float32, so that both sides start from the same values.
START = drawn(SIZE).double()
GRADIENTS = 3 * drawn(STEPS, SIZE)
GRADIENTS[4] = 0
GRADIENTS[7] *= 1e-6
GRADIENTS = GRADIENTS.double()


def constant(optimizer):
    return torch.optim.lr_scheduler.ConstantLR(optimizer, 1.0)


def warm_constant(optimizer):
    return torch.optim.lr_scheduler.LinearLR(
        optimizer, 1 / WARM_UP_STEPS, 1.0, WARM_UP_STEPS - 1
    )


def step(optimizer):
    return torch.optim.lr_scheduler.StepLR(optimizer, 2 * STEPS_PER_EPOCH, 0.1)


def cosine(optimizer):
    return torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS)


def warm_cosine(optimizer):
    falling = torch.optim.lr_scheduler.CosineAnnealingLR(
        optimizer, STEPS - WARM_UP_STEPS, 0.2 * optimizer.defaults["lr"]
    )
    return torch.optim.lr_scheduler.SequentialLR(
        optimizer, [warm_constant(optimizer), falling], [WARM_UP_STEPS]
    )


def unclipped(parameters):
    pass


def by_norm(parameters):
    torch.nn.utils.clip_grad_norm_(parameters, 5.0)


def by_value(parameters):
    torch.nn.utils.clip_grad_value_(parameters, 1.5)


def trajectory(optimizer_of, schedule_of=constant, clip=unclipped):
    """Returns the parameters after each step."""
    parameters = START.clone().requires_grad_()
    optimizer = optimizer_of([parameters])
    schedule = schedule_of(optimizer)
    points = []
    for gradient in GRADIENTS:
        parameters.grad = gradient.clone()
        clip([parameters])
        optimizer.step()
        schedule.step()
        points.append(parameters.tolist())
    return points


def sgd(**options):
    return lambda parameters: torch.optim.SGD(parameters, lr=0.1, **options)


def adam(parameters, **options):
    return torch.optim.Adam(parameters, lr=0.01, betas=(0.9, 0.999), eps=1e-8, **options)


def decayed_adam(parameters):
    return adam(parameters, weight_decay=0.5)


def adam_w(parameters):
    return torch.optim.AdamW(
        parameters, lr=0.01, betas=(0.8, 0.99), eps=1e-6, weight_decay=0.5
    )


TRAJECTORIES = {
    "sgd": trajectory(sgd()),
    "sgd, step": trajectory(sgd(), step),
    "sgd, norm": trajectory(sgd(), clip=by_norm),
    "sgd, value": trajectory(sgd(), clip=by_value),
    "sgd, decay": trajectory(sgd(weight_decay=0.5)),
    "sgd, decay, norm": trajectory(sgd(weight_decay=0.5), clip=by_norm),
    "momentum": trajectory(sgd(momentum=0.9)),
    "momentum, decay, step": trajectory(sgd(momentum=0.9, weight_decay=0.5), step),
    "momentum, warm constant, norm": trajectory(sgd(momentum=0.9), warm_constant, by_norm),
    "nesterov": trajectory(sgd(momentum=0.9, nesterov=True)),
    "nesterov, cosine, value": trajectory(sgd(momentum=0.9, nesterov=True), cosine, by_value),
    "nesterov, decay": trajectory(sgd(momentum=0.9, nesterov=True, weight_decay=0.5)),
    "adam": trajectory(adam),
    "adam, decay, value": trajectory(decayed_adam, clip=by_value),
    "adam, step, value": trajectory(adam, step, by_value),
    "adamw": trajectory(adam_w),
    "adamw, warm cosine, norm": trajectory(adam_w, warm_cosine, by_norm),
}

if __name__ == "__main__":
    written = {
        "torch": torch.__version__,
        "stepsPerEpoch": STEPS_PER_EPOCH,
        "epochs": EPOCHS,
        "start": START.tolist(),
        "gradients": GRADIENTS.tolist(),
        "trajectories": TRAJECTORIES,
    }
    # One vector per line, for readable diffs.
    print(json.dumps(written).replace("[[", "[\n  [").replace("], [", "],\n  ["))
