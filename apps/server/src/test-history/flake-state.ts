/** What flips say of a test, as `tests.flake_state` holds it: it never flipped, or has healed. */
export const healthy = 0
/** It has flipped at one commit. */
export const suspect = 1
/** It has flipped at several commits within two weeks. */
export const flaky = 2

export type FlakeState = typeof healthy | typeof suspect | typeof flaky
