import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// Longer than the polling interval, on a busy machine too.
configure({ asyncUtilTimeout: 10_000 });

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});
