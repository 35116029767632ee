"""Study of a small parameter grid, from its definition to plots, in the cells of a notebook.

example.ipynb has these cells with their outputs; fill_notebook.py writes it. Needs $EQUIPOISE_URL
and $EQUIPOISE_TOKEN, as `./equipoise up` prints them.
"""

# %% [markdown]
# # From a definition to a plot
#
# Two replicas of a network train on MNIST. Does it matter how often they synchronize? The client
# is `equipoise.py`, beside this notebook or installed as a package. It finds the service by the
# environment variables `EQUIPOISE_URL` and `EQUIPOISE_TOKEN`.

# %%
from equipoise import Client

client = Client.from_environment()
client.version()

# %% [markdown]
# ## The definition
#
# The matrix has two methods: synchronous SGD, which averages the gradients of each step, and local
# SGD, which averages the weights after every fifth step. Each runs with two seeds. `validate`
# checks the definition and stores nothing.

# %%
definition = {
    "apiVersion": "equipoise/v1",
    "name": "how-often",
    "dataset": {"name": "mnist", "limit": 500},
    "network": {"preset": "mlp-784-512-10"},
    "training": {
        "epochs": 5,
        "batchSize": 50,
        "optimizer": {"kind": "sgd", "learningRate": 0.1},
    },
    "workers": {"replicas": 2},
    "matrix": {"synchronization": ["bsp", {"kind": "local-sgd", "period": 5}]},
    "seeds": [1, 2],
}
print(len(client.validate(definition)), "runs")

# %% [markdown]
# ## The runs
#
# `wait` shows a progress bar until all runs have ended, and raises an error if one fails.

# %%
runs = client.submit(definition).wait(timeout=600)
runs

# %% [markdown]
# ## The comparison
#
# The first run is the baseline: the speedups are relative to it.

# %%
comparison = client.compare(runs, target=0.6)
comparison

# %% [markdown]
# Runs of a method have one color.

# %%
comparison.plot()

# %%
comparison.plot("trainingLoss", x="bytes")

# %% [markdown]
# ## Where the time went
#
# `run.to_pandas()` is a data frame of these rows: one for each epoch and rank.

# %%
from equipoise import rows

for row in rows(runs[0]):
    print(
        f"epoch {row['epoch']}  rank {row['rank']} on {row['worker']}"
        f"  compute {row['computeSeconds']:.3f} s  wait {row['waitSeconds']:.3f} s"
        f"  {row['bytesSent'] / 1e6:.1f} MB"
    )

# %% [markdown]
# ## The trained model
#
# Its tensors have the names of a PyTorch state dict.

# %%
{name: tuple(tensor.shape) for name, tensor in runs[0].model().items()}
