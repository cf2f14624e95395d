// Nanoseconds that npm's feelin takes for expressions, which come as lines: parsing and evaluating, since it
// does both each time. feelin is a dependency of tests/e2e.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const require = createRequire(new URL('../tests/e2e/package.json', import.meta.url))
const { evaluate } = await import(pathToFileURL(require.resolve('feelin')))

const context = {
  x: 21,
  text: 'a text of some length',
  when: '2024-03-01T10:00:00Z',
  a: { b: { c: 7 }, other: [1, 2, 3] },
  items: [{ p: 1, q: 'one' }],
}

for (const expression of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  let best = Infinity
  for (let round = 0; round < 5; round++) {
    const began = process.hrtime.bigint()
    let count = 0
    let elapsed = 0
    do {
      for (let i = 0; i < 10; i++) evaluate(expression, context)
      count += 10
      elapsed = Number(process.hrtime.bigint() - began)
    } while (elapsed < 20e6)
    best = Math.min(best, elapsed / count)
  }
  console.log(`${expression}\t${Math.round(best)}`)
}
