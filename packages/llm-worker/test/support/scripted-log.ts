import type { SessionEntry, SessionLog } from "@pod/llm-worker";
import { ScriptedError, type ScriptedWorld } from "./scripted-world.js";
import type { LogPlan } from "./session-script.js";

/** A log in memory that fails where the script says so. */
export class ScriptedLog {
  /** As JSON: nothing but the text survives a crash. */
  readonly kept: string[] = [];
  /** Ids of calls, as soon as the worker knows that the entry is kept. */
  readonly started: Set<string> = new Set();
  readonly finished: Set<string> = new Set();
  /** No entry enters after one that failed: the worker is to notice, and to stop. */
  failedInLife: number | undefined;
  readonly #world: ScriptedWorld;
  readonly #plan: LogPlan;
  #appends = 0;
  #reads = 0;

  constructor(world: ScriptedWorld, plan: LogPlan) {
    this.#world = world;
    this.#plan = plan;
  }

  /** The log as the worker of one life has it. */
  open(life: number): SessionLog {
    const world = this.#world;
    let pending = 0;
    return {
      append: async (entry) => {
        if (++pending > 1) world.faults.push("an append while another one is pending");
        if (this.failedInLife === life) world.faults.push("an append after one that failed");
        await world.pass(life);
        try {
          await this.#append(entry, life);
        } finally {
          pending--;
        }
      },
      read: async () => {
        await world.pass(life);
        if (world.isHostile && ++this.#reads === this.#plan.readFailsAt) throw this.#fail("read");
        const entries: SessionEntry[] = this.kept.map((line) => JSON.parse(line));
        return this.#reads % 2 === 0 ? entries : iterate(entries);
      },
    };
  }

  async #append(entry: SessionEntry, life: number): Promise<void> {
    const failure = this.#plan.failures.find(({ at }) => at === this.#appends + 1);
    this.#appends++;
    const fails = this.#world.isHostile && failure !== undefined;
    if (!fails || failure.isKept) this.kept.push(JSON.stringify(entry));
    // Kept, and perhaps never acknowledged.
    await this.#world.pass(life);
    if (fails) {
      this.failedInLife = life;
      throw this.#fail("append");
    }
    if (entry.type === "call-started") this.started.add(entry.toolCallId);
    if (entry.type === "call-finished") this.finished.add(entry.result.toolCallId);
  }

  #fail(what: string): ScriptedError {
    this.#world.step.seen.add("failure");
    return new ScriptedError(`the log's ${what} failed`);
  }
}

async function* iterate(entries: readonly SessionEntry[]): AsyncGenerator<SessionEntry> {
  yield* entries;
}
