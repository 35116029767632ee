/** Names of the axes of time; other axes are named as the service calls them. */
const AXIS_TITLES: Readonly<Record<string, string>> = {
  seconds: "training seconds",
  "wall-clock": "wall-clock seconds",
};

/** Returns the name of the axis of a curve. */
export function axisTitle(x: string): string {
  return AXIS_TITLES[x] ?? x;
}
