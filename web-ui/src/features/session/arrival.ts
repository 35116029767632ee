import { basePath, storageKey } from "@/api/base";
import type { Schemas } from "@/api/schemas";

const SIGN_IN_PATH = "/sign-in";

/** Takes the proof that the page was opened with: the code of a sign-in link, or the token of an older dashboard. */
export function takeProof(): Schemas["Credentials"] | null {
  const code = takeCode();
  const token = takeToken();
  if (code !== null) {
    return { code };
  }
  return token === null ? null : { token };
}

/** Removes the address of a sign-in link from the browser's history, so that nobody reads its code there. */
function takeCode(): string | null {
  const { pathname, hash } = window.location;
  if (pathname !== basePath() + SIGN_IN_PATH) {
    return null;
  }
  window.history.replaceState(null, "", `${basePath()}/`);
  return new URLSearchParams(hash.slice(1)).get("code");
}

/** Removes the token that a dashboard of before stored in the tab. */
function takeToken(): string | null {
  const key = storageKey("token");
  const token = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return token;
}
