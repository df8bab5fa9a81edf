describe('pages', () => {
  beforeEach(() => {
    if (isBroken('opens the pages')) throw new Error('the fixture is gone')
  })

  for (const page of [1, 2, 3, 4, 5]) {
    test(`opens page ${page}`, () => {
      CHECK(page > 0, true)
    })
  }
})
