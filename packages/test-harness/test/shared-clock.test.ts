import { describe, expect, it } from "vitest";
import { createDeferred, within } from "../src/rendezvous.js";
import { createSharedClock } from "../src/shared-clock.js";

describe("shared clock", () => {
  // Mutants seen to fail: time moves to the wake of whoever sleeps; all sleepers are woken.
  it("T4: moves to the first wake when all who run sleep, and wakes those whose time has come", async () => {
    const clock = createSharedClock(0);
    const told: string[] = [];
    const party = (name: string, waits: readonly number[]) => async () => {
      for (const ms of waits) {
        await clock.sleep(ms);
        told.push(`${name} at ${clock.now()}`);
      }
    };
    await Promise.all([clock.run(party("a", [10, 10, 10])), clock.run(party("b", [25])), clock.run(party("c", [10]))]);
    expect(told).toEqual(["a at 10", "c at 10", "a at 20", "b at 25", "a at 30"]);
  });

  it("T4: waits for one who is awake, however long it takes", async () => {
    const clock = createSharedClock(0);
    const answered = createDeferred();
    const asleep = createDeferred();
    const sleeping = clock.run(async () => {
      const slept = clock.sleep(5);
      asleep.resolve();
      await slept;
      return clock.now();
    });
    const waking = clock.run(async () => {
      await answered.promise;
      return clock.now();
    });
    await within(asleep.promise, "the first to sleep");
    // Several turns of the event loop.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(clock.now()).toBe(0);
    answered.resolve();
    expect(await within(Promise.all([sleeping, waking]), "both")).toEqual([5, 0]);
  });

  it("T4: waits for nobody who has finished or failed", async () => {
    const clock = createSharedClock(0);
    const failing = clock.run(() => Promise.reject(new Error("no")));
    const sleeping = clock.run(async () => {
      await clock.sleep(7);
      return clock.now();
    });
    await expect(failing).rejects.toThrow("no");
    expect(await within(sleeping, "the other")).toBe(7);
  });

  it("T4: a sleep that is aborted ends at once, and keeps nobody", async () => {
    const clock = createSharedClock(0);
    const controller = new AbortController();
    const aborted = clock.run(() => clock.sleep(10, controller.signal));
    const other = clock.run(async () => {
      controller.abort(new Error("enough"));
      await clock.sleep(3);
      return clock.now();
    });
    await expect(aborted).rejects.toThrow("enough");
    expect(await within(other, "the other")).toBe(3);
    await expect(clock.run(() => clock.sleep(10, controller.signal))).rejects.toThrow("enough");
  });

  it("T4: a wait that is none is a RangeError, and one of nobody an error", async () => {
    const clock = createSharedClock();
    await expect(clock.run(() => clock.sleep(Number.NaN))).rejects.toThrow(RangeError);
    await expect(clock.run(() => clock.sleep(-1))).rejects.toThrow(RangeError);
    await expect(clock.sleep(1)).rejects.toThrow("clock.run");
  });
});
