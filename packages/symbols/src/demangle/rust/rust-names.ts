/** The names of basic types by their letters. */
export const basicTypes = new Map(
  Object.entries({
    a: 'i8',
    b: 'bool',
    c: 'char',
    d: 'f64',
    e: 'str',
    f: 'f32',
    h: 'u8',
    i: 'isize',
    j: 'usize',
    l: 'i32',
    m: 'u32',
    n: 'i128',
    o: 'u128',
    p: '_',
    s: 'i16',
    t: 'u16',
    u: '()',
    v: '...',
    x: 'i64',
    y: 'u64',
    z: '!',
  }),
)

/** The name of a lifetime by its place among those that are bound: `'a` to `'z`, then `'z1` and so on. */
export function nameLifetime(depth: bigint): string {
  return depth < 26n ? `'${String.fromCharCode(97 + Number(depth))}` : `'z${depth - 25n}`
}
