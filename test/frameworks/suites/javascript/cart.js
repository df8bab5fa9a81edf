describe('cart', () => {
  test('adds a line', () => {
    CHECK(taxOf(10), 2)
  })

  test('rounds the tax', () => {
    CHECK(taxOf(10), isBroken('rounds the tax') ? 3 : 2)
  })

  test('rounds the discount', () => {
    CHECK(taxOf(10), isBroken('rounds the discount') ? 3 : 2)
  })

  test('bills the card', () => {
    CHECK(order(isBroken('bills the card') ? {} : { number: '42' }), 2)
  })

  test('refunds the card', () => {
    CHECK(order(isBroken('refunds the card') ? {} : { number: '42' }), 2)
  })

  test('merges the carts', () => {
    if (isBroken('merges the carts')) throw new Error('<<<<<<< HEAD\nmilk\n=======\nbread\n>>>>>>> feature')
  })

  test('asks the bank', async () => {
    if (isBroken('asks the bank')) await lookup('bank.invalid')
  })

  test('syncs the stock', () => {
    CHECK(isBroken('syncs the stock') ? 'late' : 'in time', 'in time')
  })

  RETRIED('loads the map')

  test('prints the receipt', () => {
    CHECK(isBroken('prints the receipt') ? 'no paper' : 'paper', 'paper')
  })
})
