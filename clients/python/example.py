"""Submits a small parameter grid, waits for it and compares its runs. Cells begin with # %%.

Needs $EQUIPOISE_URL and $EQUIPOISE_TOKEN, as `./equipoise up` prints them.
"""

# %% The service
from equipoise import Client, rows

client = Client.from_environment()

# %% The question: does the synchronization period of two replicas matter?
definition = {
    "apiVersion": "equipoise/v1",
    "name": "how-often",
    "dataset": {"name": "mnist", "limit": 500},
    "network": {"preset": "mlp-784-512-10"},
    "training": {
        "epochs": 2,
        "batchSize": 50,
        "optimizer": {"kind": "sgd", "learningRate": 0.1},
    },
    "workers": {"replicas": 2},
    "matrix": {"synchronization": ["bsp", {"kind": "local-sgd", "period": 5}]},
    "seeds": [1, 2],
}
print(len(client.validate(definition)), "runs")

# %% Run all of them to their end
runs = client.wait(client.submit(definition), timeout=600)

# %% Compare; with pandas: DataFrame(rows(comparison))
comparison = client.compare(runs, target=0.6)
for row in rows(comparison):
    print(
        f"{row['label']:45} seed {row['seed']}  accuracy {row['finalAccuracy']:.4f}"
        f"  {row['trainingSeconds']:.3f} s  {row['bytesSent'] / 1e6:.1f} MB"
    )

# %% Every epoch and rank of the first run
for row in rows(runs[0]):
    print(
        f"epoch {row['epoch']}  rank {row['rank']} on {row['worker']}"
        f"  compute {row['computeSeconds']:.3f} s  wait {row['waitSeconds']:.3f} s"
    )
