/**
 * The constants of DWARF 2 to 5 that this package uses (dwarfstd.org, chapter 7), with the extensions of GNU and LLVM
 * that compilers emit.
 */
export const Tag = { inlinedSubroutine: 0x1d, subprogram: 0x2e } as const

export const Attribute = {
  name: 0x03,
  statementList: 0x10,
  lowPc: 0x11,
  highPc: 0x12,
  compilationDirectory: 0x1b,
  abstractOrigin: 0x31,
  artificial: 0x34,
  specification: 0x47,
  entryPc: 0x52,
  ranges: 0x55,
  callColumn: 0x57,
  callFile: 0x58,
  callLine: 0x59,
  signature: 0x69,
  linkageName: 0x6e,
  stringOffsetsBase: 0x72,
  addressBase: 0x73,
  rangeListsBase: 0x74,
  mipsLinkageName: 0x2007,
} as const

export const Form = {
  address: 0x01,
  block2: 0x03,
  block4: 0x04,
  data2: 0x05,
  data4: 0x06,
  data8: 0x07,
  string: 0x08,
  block: 0x09,
  block1: 0x0a,
  data1: 0x0b,
  flag: 0x0c,
  sdata: 0x0d,
  strp: 0x0e,
  udata: 0x0f,
  refAddress: 0x10,
  ref1: 0x11,
  ref2: 0x12,
  ref4: 0x13,
  ref8: 0x14,
  refUdata: 0x15,
  indirect: 0x16,
  sectionOffset: 0x17,
  expression: 0x18,
  flagPresent: 0x19,
  strx: 0x1a,
  addrx: 0x1b,
  refSupplement4: 0x1c,
  strpSupplement: 0x1d,
  data16: 0x1e,
  lineStrp: 0x1f,
  refSignature8: 0x20,
  implicitConstant: 0x21,
  locationListIndex: 0x22,
  rangeListIndex: 0x23,
  refSupplement8: 0x24,
  strx1: 0x25,
  strx2: 0x26,
  strx3: 0x27,
  strx4: 0x28,
  addrx1: 0x29,
  addrx2: 0x2a,
  addrx3: 0x2b,
  addrx4: 0x2c,
  gnuAddressIndex: 0x1f01,
  gnuStringIndex: 0x1f02,
  gnuRefAlternate: 0x1f20,
  gnuStrpAlternate: 0x1f21,
  llvmAddrxOffset: 0x2001,
} as const

/** The standard opcodes of the line number program (DW_LNS). */
export const LineOpcode = {
  /** What follows is one of `ExtendedLineOpcode` with its length. */
  extended: 0,
  copy: 1,
  advanceCode: 2,
  advanceLine: 3,
  setFile: 4,
  setColumn: 5,
  negateStatement: 6,
  setBasicBlock: 7,
  addConstant: 8,
  fixedAdvance: 9,
  setPrologueEnd: 10,
  setEpilogueBegin: 11,
  setInstructionSet: 12,
} as const

/** The extended opcodes of the line number program (DW_LNE). */
export const ExtendedLineOpcode = { endSequence: 1, setAddress: 2, defineFile: 3 } as const
