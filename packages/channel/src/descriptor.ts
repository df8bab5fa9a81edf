/**
 * A type descriptor describes a content or an answer. The compiler infers the type from it, and a received value is
 * checked against it. There are four kinds:
 *
 * - a Standard Schema (zod, valibot, arktype …; https://standardschema.dev)
 * - a core constructor: `String`, `Number`, `Date`, `Uint8Array` …; `Object` accepts any value that can be sent
 * - `[D]`, an array of values that D describes
 * - a class with a static `decode`, and an instance `encode` whose result `decode` accepts
 */

/** The part of Standard Schema version 1 that the channel uses; see https://standardschema.dev. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** A class whose instances are sent as the result of `encode`. */
export interface EncodableClass<T = unknown> {
  decode(value: never): T
}

type Constructor = abstract new (...parameters: never[]) => unknown

export type Descriptor =
  | StandardSchema<unknown, unknown>
  | EncodableClass
  | Constructor
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | BigIntConstructor
  | ObjectConstructor
  | readonly [Descriptor]

type Core<D> = D extends StringConstructor
  ? string
  : D extends NumberConstructor
    ? number
    : D extends BooleanConstructor
      ? boolean
      : D extends BigIntConstructor
        ? bigint
        : D extends ObjectConstructor
          ? unknown
          : D extends Constructor
            ? InstanceType<D>
            : never

/** Type of a received value. */
export type Decoded<D> = D extends readonly [infer Item]
  ? Decoded<Item>[]
  : D extends StandardSchema<infer _Input, infer Output>
    ? Output
    : D extends EncodableClass<infer T>
      ? T
      : Core<D>

/** Type of a value to send: a schema's input, before it transforms. */
export type Encoded<D> = D extends readonly [infer Item]
  ? readonly Encoded<Item>[]
  : D extends StandardSchema<infer Input, infer _Output>
    ? Input
    : D extends EncodableClass<infer T>
      ? T
      : Core<D>
