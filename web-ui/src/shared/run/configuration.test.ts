import { describe, expect, it } from "vitest";

import { method, setting } from "./configuration";

const BSP = {
  synchronization: { kind: "bsp" },
  topology: { kind: "all-reduce", algorithm: "ring" },
  compression: { kind: "none" },
  partitioning: { kind: "equal" },
};

describe("the method of a run", () => {
  it("omits a missing codec", () => {
    expect(method(BSP)).toBe("bsp · ring · equal");
  });

  it("shows a period, a codec, and a topology without an algorithm", () => {
    const served = {
      ...BSP,
      synchronization: { kind: "local-sgd", period: 4 },
      topology: { kind: "parameter-server" },
      compression: { kind: "top-k" },
    };

    expect(method(served)).toBe("local-sgd 4 · parameter-server · top-k · equal");
  });
});

describe("the method of an overlapped run", () => {
  it("says so", () => {
    const overlapped = { kind: "bsp", overlap: true, bucketMegabytes: 25, firstBucketMegabytes: 1 };
    const plain = { ...overlapped, overlap: false };

    expect(method({ ...BSP, synchronization: overlapped })).toBe("bsp overlapped · ring · equal");
    expect(method({ ...BSP, synchronization: plain })).toBe("bsp · ring · equal");
  });
});

describe("a setting", () => {
  it("is the plain value at its path, or undefined if the path leads nowhere", () => {
    expect(setting({ training: { epochs: 3, exact: false } }, "training", "epochs")).toBe("3");
    expect(setting({ training: { epochs: 3, exact: false } }, "training", "exact")).toBe("false");
    expect(setting({ training: { epochs: 3 } }, "training")).toBeUndefined();
    expect(setting({ training: 3 }, "training", "epochs", "more")).toBeUndefined();
  });
});
