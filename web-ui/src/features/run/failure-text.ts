const WORDS: Readonly<Record<string, string>> = {
  "dataset-corrupt": "data set damaged",
  "dataset-differs": "ranks have read different data",
  "dataset-invalid": "data set invalid",
  "dataset-unavailable": "data set not found",
  "nothing-fits": "no allowed configuration fits the workers",
  "peer-lost": "lost contact with a rank",
};

/** Returns the failure code of a run in words. */
export function failureText(code: string): string {
  return WORDS[code] ?? code.replaceAll("-", " ");
}
