/** Numbers of a linear congruential generator, the same in every run. */
export function randoms(seed: number): () => number {
  let state = seed;
  return () => (state = (1103515245 * state + 12345) % 2147483648) / 2147483648;
}

export function randomPoints(count: number, seed = 1): Float32Array {
  const random = randoms(seed);
  return Float32Array.from({ length: 2 * count }, () => 2 * random() - 1);
}

export function base64(numbers: Float32Array | Uint8Array): string {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  let raw = "";
  for (const byte of bytes) raw += String.fromCharCode(byte);
  return btoa(raw);
}
