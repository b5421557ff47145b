// Repeats submits, and says what became of one that fails.
import { EbbError, Refused, Unreachable } from "./errors.js";
import { repeated } from "./http.js";

/** Repeats a submit under its key. `Refused` means that no try of it was stored. */
export async function submitted<T>(
  once: () => Promise<T>,
  patienceMs: number,
  idempotencyKey: string,
): Promise<T> {
  let mayBeStored = false;
  const noted = async () => {
    try {
      return await once();
    } catch (error) {
      mayBeStored ||= leavesOpen(error);
      throw error;
    }
  };
  try {
    return await repeated(noted, patienceMs);
  } catch (last) {
    if (!mayBeStored || !(last instanceof EbbError) || isOfEveryTry(last)) {
      throw last;
    }
    const why = `the submit may be stored or not: ${last.message}`;
    throw new Unreachable(why, { cause: last, idempotencyKey });
  }
}

/** Whether the request may have been served all the same. */
function leavesOpen(error: unknown): boolean {
  return error instanceof Refused
    ? error.status === 408 || error.status >= 500
    : error instanceof EbbError;
}

/**
 * Whether earlier tries were not served either: a token, which may have ended since, is looked at
 * before the key.
 */
function isOfEveryTry(error: EbbError): boolean {
  return error instanceof Refused && error.final && ![401, 403].includes(error.status);
}
