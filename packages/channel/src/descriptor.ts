/**
 * A type descriptor says what a content or an answer is: the compiler infers the type from it, and the value
 * is checked against it where it arrives. Four kinds:
 *
 * - a Standard Schema (zod, valibot, arktype …; https://standardschema.dev)
 * - a core constructor: `String`, `Number`, `Date`, `Uint8Array` …; `Object` is any value that can be carried
 * - `[D]`, an array of what D describes
 * - a class with a static `decode`, and an instance `encode` that makes the value its `decode` reads
 */

/** What the channel needs of https://standardschema.dev, version 1. */
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

/** A class whose values cross as what `encode` makes of them. */
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

/** The type that arrives. */
export type Decoded<D> = D extends readonly [infer Item]
  ? Decoded<Item>[]
  : D extends StandardSchema<infer _Input, infer Output>
    ? Output
    : D extends EncodableClass<infer T>
      ? T
      : Core<D>

/** The type that is sent: what a schema takes in, before it transforms. */
export type Encoded<D> = D extends readonly [infer Item]
  ? readonly Encoded<Item>[]
  : D extends StandardSchema<infer Input, infer _Output>
    ? Input
    : D extends EncodableClass<infer T>
      ? T
      : Core<D>
