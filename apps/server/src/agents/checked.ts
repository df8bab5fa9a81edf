/**
 * The check that a text of strangers does not slip out of `untrusted`: the type of an answer may hold numbers,
 * booleans, constants and the branded texts of `trusted.ts`, and under `untrusted` what `untrusted()` has made.
 */
import type { z } from 'zod'

/** The names of fields that must not be as they are; `never` for a type that may be an answer. */
export type Fault<Type> = Type extends number | boolean | null | undefined
  ? never
  : Type extends string
    ? string extends Type
      ? 'a plain string outside of untrusted'
      : never
    : Type extends readonly (infer Item)[]
      ? Fault<Item>
      : { [Key in keyof Type]-?: FaultOfField<Key, Type[Key]> }[keyof Type]

type FaultOfField<Key, Value> = string extends Key
  ? 'keys that are made of texts'
  : Key extends typeof z.$brand
    ? never
    : Key extends 'untrusted'
      ? Value extends z.$brand<'Untrusted'>
        ? never
        : 'texts that untrusted() has not made'
      : Fault<Value>

/** Is unknown, which changes nothing, for a schema of answers that are safe, and otherwise says what is wrong. */
export type CheckedOutput<Schema extends z.ZodObject> = [Fault<z.output<Schema>>] extends [never]
  ? unknown
  : { fault: Fault<z.output<Schema>> }
