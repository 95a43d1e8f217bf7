/** Arrays of numbers in base64, low byte first on every machine. */

export function bytes(text: string): Uint8Array {
  const raw = atob(text);
  const array = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) array[i] = raw.charCodeAt(i);
  return array;
}

export function floats(text: string): Float32Array {
  const raw = bytes(text);
  const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
  if (isLittleEndian) return new Float32Array(raw.buffer);
  const view = new DataView(raw.buffer);
  return Float32Array.from({ length: raw.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

/** A number for people: four digits. */
export function spoken(value: number): string {
  return Number(value.toPrecision(4)).toString();
}
