/** What the tests use of Node, whose own types are no part of Debian's node-typescript. */
declare module "node:test" {
  export function test(name: string, body: () => void): void;
}
declare module "node:assert" {
  const assert: {
    ok(value: unknown, message?: string): void;
    equal<T>(actual: T, expected: T, message?: string): void;
    deepEqual<T>(actual: T, expected: T, message?: string): void;
  };
  export { assert as strict };
}
