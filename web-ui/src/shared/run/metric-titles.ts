/** Titles of the metrics that a run page draws, in its order. */
export const METRIC_TITLES: Readonly<Record<string, string>> = {
  "train/loss": "Training loss",
  "test/accuracy": "Test accuracy",
  "test/loss": "Test loss",
  "replica/accuracy": "Test accuracy of each replica",
  "replica/loss": "Test loss of each replica",
  "replicas/relative-distance": "Relative consensus distance",
};

/** Returns the title of a metric; its name if it has none. */
export function metricTitle(name: string): string {
  return METRIC_TITLES[name] ?? name;
}
