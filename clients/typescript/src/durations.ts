// Durations as the server writes them.

const ISO = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** PT1.5S for 1500. */
export function iso(millis: number): string {
  return `PT${(millis / 1000).toFixed(3).replace(/\.?0+$/, "")}S`;
}

/** 1500 for PT1.5S. */
export function millis(text: string): number {
  const match = ISO.exec(text);
  if (!match) {
    throw new RangeError(`not a duration: ${text}`);
  }
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}
