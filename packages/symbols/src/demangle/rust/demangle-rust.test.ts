import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { demangle } from '../demangle.ts'

/** Names with the answers of llvm-cxxfilt 19. */
const vectors = [
  ['_RNvC6_123foo3bar', '123foo::bar'],
  ['_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind', '__rustc::rust_begin_unwind'],
  ['_RNvXs1c_NtNtCsgEmfK2I1SDS_4core3cmp5implslNtB8_10PartialOrd2lt', '<i32 as core::cmp::PartialOrd>::lt'],
  ['_RINvCsdQPbZzb6Pf5_5tides7compareNCNvB2_8rust_run0EB2_', 'tides::compare::<tides::rust_run::{closure#0}>'],
  ['_RMC0INtC8arrayvec8ArrayVechKj7b_E', '<arrayvec::ArrayVec<u8, 123>>'],
  ['_RIC0Kc41_E', "::<'A'>"],
  ['_RIC0Kb1_E', '::<true>'],
  ['_RIC0Kanff_E', '::<-255>'],
  ['_RMC0FUKCahENtC3std3foo', '<unsafe extern "C" fn(i8, u8) -> std::foo>'],
  ['_RNvC1a4main.llvm.123', 'a::main (.llvm.123)'],
] as const

describe('names in the second mangling of Rust', () => {
  it('are as LLVM writes them', () => {
    for (const [name, expected] of vectors) assert.equal(demangle(name), expected)
  })

  it('show closures by their numbers, and identifiers in Unicode', () => {
    const closure = '_RNCNvXNtCsdQPbZzb6Pf5_5tides5tidesINtB4_5FixedKj5_ENtB4_5Level5levels_0B6_'
    assert.equal(demangle(closure), '<tides::tides::Fixed<5> as tides::tides::Level>::level::{closure#1}')
    const name = '_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y'
    assert.equal(demangle(name), 'utf8_idents::საჭმელად_გემრიელი_სადილი')
  })

  it('stay as they are when they are malformed, refer to themselves or are too deep', () => {
    for (const name of ['_R', '_RNvC', '_RB_', '_RMC0B_', `_R${'R'.repeat(60_000)}`, `_RMC0${'S'.repeat(10_000)}h`]) {
      assert.equal(demangle(name), name)
    }
  })
})
