import { describe, expect, it } from "vitest";
import { createFakeClock } from "../src/fake-clock.js";
import { createBarrier, createDeferred, within } from "../src/rendezvous.js";

describe("fake clock", () => {
  it("T4: sleep moves the clock at once and records the wait", async () => {
    const clock = createFakeClock(5);
    await clock.sleep(60_000);
    clock.advance(1);
    await clock.sleep(3);
    expect(clock.now()).toBe(60_009);
    expect(clock.waits).toEqual([60_000, 3]);
  });

  it("T4: sleep rejects with the signal's reason, aborted before or during", async () => {
    const clock = createFakeClock(0);
    const controller = new AbortController();
    const sleeping = clock.sleep(10, controller.signal);
    controller.abort(new Error("enough"));
    await expect(sleeping).rejects.toThrow("enough");
    await expect(clock.sleep(10, controller.signal)).rejects.toThrow("enough");
    expect(clock.waits).toEqual([10]);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("T4: a wait of %d is a RangeError", async (ms) => {
    await expect(createFakeClock().sleep(ms)).rejects.toThrow(RangeError);
    expect(() => createFakeClock().advance(ms)).toThrow(RangeError);
  });
});

describe("barriers and bounded waits", () => {
  it("T4: a barrier lets nobody through before the last party has come", async () => {
    const barrier = createBarrier(2);
    const passed: number[] = [];
    const first = barrier.arrive().then(() => passed.push(1));
    await Promise.resolve();
    expect(passed).toEqual([]);
    expect(barrier.arrived).toBe(1);
    await Promise.all([first, barrier.arrive(), barrier.complete]);
    expect(passed).toEqual([1]);
    expect(() => createBarrier(0)).toThrow(RangeError);
  });

  it("T4: a deferred settles when the test says so", async () => {
    const settled = createDeferred<number>();
    settled.resolve(7);
    expect(await settled.promise).toBe(7);
    const failed = createDeferred<number>();
    failed.reject(new Error("no"));
    await expect(failed.promise).rejects.toThrow("no");
  });

  it("T4: a bounded wait gives the value, or says what it was waiting for", async () => {
    expect(await within(Promise.resolve(7), "seven")).toBe(7);
    await expect(within(new Promise(() => {}), "the third call to start", 1)).rejects.toThrow(
      "the third call to start",
    );
  });
});
