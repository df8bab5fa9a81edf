if (isBroken('reads the rates')) throw new Error('the rates cannot be loaded')

describe('rates', () => {
  test('reads the rates', () => {
    CHECK(1, 1)
  })
})
