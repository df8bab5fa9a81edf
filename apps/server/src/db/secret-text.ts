/**
 * Columns that hold a secret which the server has to read again, encrypted if there is a key for it. The type keeps
 * such a text from being used as it is stored: only `secrets/encrypt.ts` makes and reads it.
 */
declare const secret: unique symbol

export type SecretText = string & { readonly [secret]: true }
