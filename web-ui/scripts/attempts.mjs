/**
 * Runs a command of the build again if the gate asks for it, as the gate repeats failed tests of processes: an npm
 * registry that does not answer, or a test worker that is not scheduled for a minute, is no fault of the change.
 */

const LONGEST_REASON = 300;
const LINES_OF_A_REASON = 3;
const ALARM = /\berr(or)?\b|error:|fail|timed? ?out|killed|[×✗]/i;
// The names of passed tests speak of failures, too.
const PASSED = "✓";
// npm repeats the name of the script and the place of its log after each failure.
const NOISE = /^npm error (path|command|workspace|A complete log|Lifecycle script|\s*in workspace)/;
// eslint-disable-next-line no-control-regex -- colors are control characters
const COLORS = /\u001b\[[0-9;]*m/g;

/**
 * Runs until an attempt succeeds, at most `limit` times. `run(attempt)` resolves to `{ status, output }`, where status
 * 0 is success. Resolves to the status of the last attempt and the reasons of the failed ones.
 */
export async function attempts(limit, run) {
  const reasons = [];
  for (let attempt = 1; ; attempt++) {
    const { status, output } = await run(attempt);
    if (status === 0) {
      return { status, reasons };
    }
    reasons.push(reasonOf(output));
    if (attempt >= limit) {
      return { status, reasons };
    }
  }
}

/** Returns the first lines of a failed command's output that tell of an error, or the last ones if none does. */
export function reasonOf(output) {
  const lines = output
    .replace(COLORS, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith(PASSED) && !NOISE.test(line));
  const alarming = lines.filter((line) => ALARM.test(line)).slice(0, LINES_OF_A_REASON);
  const reason = (alarming.length > 0 ? alarming : lines.slice(-LINES_OF_A_REASON)).join(" | ");
  return reason.length <= LONGEST_REASON ? reason : `${reason.slice(0, LONGEST_REASON)} ...`;
}
