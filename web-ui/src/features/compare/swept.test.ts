import { describe, expect, it } from "vitest";

import { fieldsOf } from "./fields";
import { sweptFields } from "./swept";

function swept(...configurations: object[]): readonly string[] {
  return sweptFields(configurations.map((configuration) => fieldsOf(configuration)));
}

describe("the swept fields", () => {
  it("are those that differ, without the seed", () => {
    expect(
      swept(
        { seed: 1, training: { batchSize: 10, epochs: 2 }, workers: { replicas: 2 } },
        { seed: 2, training: { batchSize: 20, epochs: 2 }, workers: { replicas: 4 } },
      ),
    ).toEqual(["training.batchSize", "workers.replicas"]);
  });

  it("lack fields that only one kind has, but not fields that differ within a kind", () => {
    const bsp = { synchronization: { kind: "bsp" } };
    const local = (period: number): object => ({ synchronization: { kind: "local-sgd", period } });

    expect(swept(bsp, local(4))).toEqual(["synchronization.kind"]);
    expect(swept(bsp, local(4), local(8))).toEqual(["synchronization.kind", "synchronization.period"]);
    expect(swept({ rate: 0.1 }, {})).toEqual(["rate"]);
  });

  it("lack defaults that follow from other fields that differ", () => {
    const method = (kind: string, every: number): object => ({ synchronization: { kind }, checkpoint: { every } });

    expect(swept(method("bsp", 1), method("gossip", 0))).toEqual(["synchronization.kind"]);
    expect(swept(method("bsp", 1), method("bsp", 5))).toEqual(["checkpoint.every"]);
  });
});
