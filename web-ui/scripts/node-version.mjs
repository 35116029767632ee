// The versions of Node.js that build the dashboard.

const LEAST = "20.19";
// The first version of Node.js 22 that Vite supports; Node.js 20 gets no more security fixes.
const PREFERRED = "22.12";

/** Returns the reason why a version cannot build the dashboard, or advice, or neither. */
export function checkNode(version) {
  if (isOlder(version, LEAST)) {
    return {
      failure: `The build of the dashboard needs Node.js ${PREFERRED} or newer, or at least ${LEAST}, but the PATH has ${version}.`,
    };
  }
  if (isOlder(version, PREFERRED)) {
    return {
      advice: `Node.js ${version} builds the dashboard, but prefer ${PREFERRED} or newer: older ones get no more security fixes.`,
    };
  }
  return {};
}

function isOlder(version, bound) {
  const [major, minor] = version.split(".").map(Number);
  const [boundMajor, boundMinor] = bound.split(".").map(Number);
  return major < boundMajor || (major === boundMajor && minor < boundMinor);
}
