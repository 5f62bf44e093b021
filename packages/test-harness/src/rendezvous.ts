/** A promise that a test settles by hand. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** Lets a test decide when something that is awaited comes to pass. */
export function createDeferred<T = void>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  return { promise, resolve, reject };
}

/** A place where a fixed number of parties meet. */
export interface Barrier {
  /** Resolves for everybody when the last party has come. */
  arrive(): Promise<void>;
  /** Resolves when the last party has come, without being one. */
  readonly complete: Promise<void>;
  readonly arrived: number;
}

/** Shows that things run at once: with one party missing, nobody gets through. */
export function createBarrier(parties: number): Barrier {
  if (!Number.isInteger(parties) || parties < 1) {
    throw new RangeError(`parties: expected an integer of at least 1, received ${String(parties)}`);
  }
  const complete = createDeferred();
  let arrived = 0;
  return {
    arrive() {
      arrived += 1;
      if (arrived === parties) complete.resolve();
      return complete.promise;
    },
    complete: complete.promise,
    get arrived() {
      return arrived;
    },
  };
}

/** Bounds a wait, so that a test that would hang says what it was waiting for. The bound is no assertion about speed. */
export async function within<T>(promise: Promise<T>, what: string, boundMs = 10_000): Promise<T> {
  const overdue = createDeferred<never>();
  const timer = setTimeout(() => overdue.reject(new Error(`gave up after ${boundMs} ms: ${what}`)), boundMs);
  try {
    return await Promise.race([promise, overdue.promise]);
  } finally {
    clearTimeout(timer);
  }
}
