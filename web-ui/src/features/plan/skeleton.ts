/** A definition to start from: it runs at once on any two workers, without files. */
export const SKELETON = `# What is trained: drawn samples, which need no download.
name: first-experiment
dataset:
  name: synthetic # or mnist, cifar-10, csv, ...
  features: 20
network:
  layers: [{dense: 32}, relu, {dense: 10}]
training:
  epochs: 5
  batchSize: 32
  optimizer: {kind: sgd, learningRate: 0.05}

# Who trains, and how the replicas exchange.
workers: {replicas: 2}
synchronization: bsp # or local-sgd, diloco, async, ...
topology: all-reduce # or parameter-server, gossip

# Each combination of these values is a run.
seeds: [1, 2]
`;
