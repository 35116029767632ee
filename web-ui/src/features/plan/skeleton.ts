/** A definition to start from: it runs at once on any two workers, without files. */
export const SKELETON = `apiVersion: equipoise/v1
name: first-experiment

# What is trained: drawn samples, which need no download.
dataset:
  name: synthetic # or mnist, cifar-10, csv, ...
  shape: [8, 8, 1]
  classes: 10
  samples: 2000
network:
  layers: [flatten, {dense: 32}, relu, {dense: 10}]
training:
  epochs: 5
  batchSize: 32
  optimizer: {kind: sgd, learningRate: 0.05}

# Who trains, and how the replicas exchange.
workers: {replicas: 2}
synchronization: {kind: bsp} # or local-sgd, diloco, async, ...
topology: {kind: all-reduce} # or parameter-server, gossip

# Each combination of these values is a run.
seeds: [1, 2]
`;
