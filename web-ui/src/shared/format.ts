/** What stands where there is no figure. */
export const NONE = "–";

type Optional<T> = T | null | undefined;

const MOMENT = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
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

/** A loss: four digits behind the point say enough. */
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

/** Bytes on the wire, in powers of a thousand. */
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

/** Bytes of memory, in gibibytes. */
export function memory(bytes: Optional<number>): string {
  return bytes == null ? NONE : `${decimal(bytes / GIBIBYTE, 1)} GiB`;
}

export function factor(value: Optional<number>): string {
  return value == null ? NONE : `${decimal(value, 2)}×`;
}

export function moment(at: Optional<string>): string {
  return at == null ? NONE : MOMENT.format(new Date(at));
}

/** How long before `now` (milliseconds) it was; a clock that is ahead of ours does not show. */
export function ago(at: Optional<string>, now: number): string {
  if (at == null) {
    return NONE;
  }
  const elapsed = Math.max(0, Math.round((now - Date.parse(at)) / 1_000));
  const unit = AGES.find(({ seconds }) => elapsed >= 2 * seconds);
  return unit ? `${Math.floor(elapsed / unit.seconds).toString()} ${unit.name} ago` : "just now";
}

/** `RUNNING` as a person writes it. */
export function sentenceCase(constant: string): string {
  return constant.charAt(0) + constant.slice(1).toLowerCase();
}
