// Measures the nanoseconds that npm's feelin takes for expressions: parsing and evaluating, since
// it does both each time. Input is JSON: {"context": object, "expressions": [text]}. feelin is a
// dependency of tests/e2e.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const require = createRequire(new URL('../tests/e2e/package.json', import.meta.url))
const { evaluate } = await import(pathToFileURL(require.resolve('feelin')))
const { context, expressions } = JSON.parse(readFileSync(0, 'utf8'))

for (const expression of expressions) {
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
