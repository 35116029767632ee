/** Placeholder for a missing value. */
export const NONE = "–";

type Optional<T> = T | null | undefined;

const MOMENT = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
const TIME = new Intl.DateTimeFormat("en", { timeStyle: "short", hourCycle: "h23" });
const USUAL_DIGITS = 4;
const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: USUAL_DIGITS });
const TRAFFIC = ["B", "kB", "MB", "GB", "TB"];
const GIBIBYTE = 2 ** 30;
const AGES = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3_600 },
  { name: "min", seconds: 60 },
  { name: "s", seconds: 1 },
];

function decimal(value: number, digits: number): string {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function seconds(value: Optional<number>): string {
  if (value == null) {
    return NONE;
  }
  const digits = value < 1 ? 3 : value < 10 ? 2 : value < 1_000 ? 1 : 0;
  return `${decimal(value, digits)} s`;
}

/** Formats a loss with four decimal places. */
export function figure(value: Optional<number>): string {
  return value == null ? NONE : decimal(value, 4);
}

export function percent(fraction: Optional<number>): string {
  return fraction == null ? NONE : `${decimal(fraction * 100, 1)} %`;
}

export function signedPercent(fraction: Optional<number>): string {
  if (fraction == null) {
    return NONE;
  }
  const size = percent(Math.abs(fraction));
  return fraction < 0 ? `−${size}` : `+${size}`;
}

/** Formats bytes on the wire, in powers of 1000. */
export function traffic(bytes: Optional<number>): string {
  if (bytes == null) {
    return NONE;
  }
  let value = bytes;
  let power = 0;
  while (value >= 1_000 && power < TRAFFIC.length - 1) {
    value /= 1_000;
    power++;
  }
  return `${decimal(value, power === 0 ? 0 : 1)} ${TRAFFIC[power] ?? ""}`;
}

/** Formats bytes of memory, in GiB. */
export function memory(bytes: Optional<number>): string {
  return bytes == null ? NONE : `${decimal(bytes / GIBIBYTE, 1)} GiB`;
}

export function factor(value: Optional<number>): string {
  return value == null ? NONE : `${decimal(value, 2)}×`;
}

export function moment(at: Optional<string>, style: "whole" | "time" = "whole"): string {
  return at == null ? NONE : (style === "whole" ? MOMENT : TIME).format(new Date(at));
}

/** Formats a duration for reading, such as `2 h 5 min`. */
export function duration(seconds: Optional<number>): string {
  if (seconds == null) {
    return NONE;
  }
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)];
  if (hours > 0) {
    return `${hours.toLocaleString("en")} h ${minutes.toString()} min`;
  }
  return minutes > 0 ? `${minutes.toString()} min ${(whole % 60).toString()} s` : `${whole.toString()} s`;
}

/** Formats a number of any size in few digits, for axes and legends. */
export function compact(value: Optional<number>): string {
  if (value == null) {
    return NONE;
  }
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 1e15)) {
    return value.toExponential(1);
  }
  return COMPACT.format(value);
}

/**
 * Formats the labels of an axis, with as many digits as make them differ; lines between the powers of a logarithmic axis
 * come as null and have no label.
 */
export function ticks(values: readonly Optional<number>[]): string[] {
  const known = values.filter((value) => value != null);
  const step = Math.abs((known[1] ?? 0) - (known[0] ?? 0));
  const digits = Math.ceil(Math.log10(Math.max(...known.map(Math.abs)) / step)) + 1;
  if (!(digits > USUAL_DIGITS)) {
    return values.map((value) => (value == null ? "" : compact(value)));
  }
  const exact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: Math.min(12, digits) });
  return values.map((value) => (value == null ? "" : exact.format(value)));
}

/** Formats the time between a moment and `now` (milliseconds); a moment in the future counts as now. */
export function ago(at: Optional<string>, now: number): string {
  if (at == null) {
    return NONE;
  }
  const elapsed = Math.max(0, Math.round((now - Date.parse(at)) / 1_000));
  const unit = AGES.find(({ seconds }) => elapsed >= 2 * seconds);
  return unit ? `${Math.floor(elapsed / unit.seconds).toString()} ${unit.name} ago` : "just now";
}

/** Formats a constant such as `RUNNING` as `Running`. */
export function sentenceCase(constant: string): string {
  return constant.charAt(0) + constant.slice(1).toLowerCase();
}

/** Capitalizes the first letter. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Formats a message of the service as a sentence. */
export function sentence(text: string): string {
  return `${capitalized(text)}${/[.!?]$/.test(text) ? "" : "."}`;
}
