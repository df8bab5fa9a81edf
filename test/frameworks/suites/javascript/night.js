describe('night', () => {
  test('goes to sleep', () => {
    CHECK(1, 1)
  })

  test('survives the night', async () => {
    if (!isBroken('survives the night')) return
    process.kill(process.pid, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, 60_000))
  })

  test('wakes up', () => {
    CHECK(1, 1)
  })
})
