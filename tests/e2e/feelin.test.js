'use strict'
// FEEL compared with another implementation: the same random expressions are evaluated by `beeline
// feel` and by npm's feelin. docs/feelin.md lists the deliberate differences, with the names used
// below.
//
//   FEELIN_SEED=7 FEELIN_COUNT=20000 node --test feelin.test.js    searches further

const assert = require('node:assert/strict')
const { it } = require('node:test')
const { context, expressions } = require('./lib/expressions')
const { beeline } = require('./lib/server')

const SEED = Number(process.env.FEELIN_SEED || 20260101)
const COUNT = Number(process.env.FEELIN_COUNT || 1200)

// Returns feelin's result in the form in which beeline writes results.
function plain(value, feelin) {
  if (value === undefined || value === null || typeof value === 'function') return null
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return value.map((item) => plain(item, feelin))
  if (value instanceof feelin.FeelRange || value instanceof feelin.FeelFunction) return null
  if (typeof value !== 'object') return value
  if ([feelin.FeelDate, feelin.FeelDateTime, feelin.FeelTime, feelin.FeelDuration].some((type) => value instanceof type)) {
    return String(value)
  }
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, plain(entry, feelin)]))
}

// Compares doubles on one side with decimals on the other.
function same(a, b) {
  if (typeof a === 'number' && typeof b === 'number') {
    return a === b || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))
  }
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => same(item, b[i]))
  if (a && b && typeof a === 'object' && typeof b === 'object' && !Array.isArray(a) && !Array.isArray(b)) {
    const names = Object.keys(a)
    return names.length === Object.keys(b).length && names.every((name) => name in b && same(a[name], b[name]))
  }
  return a === b
}

// The rows of docs/feelin.md.
const explained = [
  { name: 'duration times number', applies: (text) => /\* \d/.test(text) && /duration\(|date\(/.test(text) },
  { name: 'substring outside the text', applies: (text) => /substring\(/.test(text) },
  { name: 'sublist outside the list', applies: (text) => /sublist\(/.test(text) },
  { name: 'quantifier over null', applies: (text) => /\((every|some) x in /.test(text) },
  { name: 'range from high to low', applies: (text) => /includes\(|overlaps\(/.test(text) },
  { name: 'between from high to low or with null', applies: (text) => / between /.test(text) },
  { name: 'sort that compares with null', applies: (text) => /sort\(/.test(text) },
  { name: 'null is not equal', applies: (text) => / != /.test(text) },
  { name: 'median', applies: (text) => /median\(/.test(text) },
  { name: 'digits of a quotient', applies: (text) => /string\(/.test(text) && / \/ |mean\(/.test(text) },
  { name: 'minus before instance of', applies: (text) => /\(-\(.* instance of /.test(text) },
]

function explanation(expression, ours, theirs) {
  return explained.find((each) => each.applies(expression, ours, theirs))
}

it('random expressions give the same here and in feelin', { timeout: 300_000 }, async (test) => {
  const feelin = await import('feelin')
  const all = expressions(SEED, COUNT)
  const { stdout } = await beeline(['feel', '--lines'], {
    input: all.map((expression) => JSON.stringify({ expression, context })).join('\n'),
  })
  const answers = stdout.trim().split('\n').map((line) => JSON.parse(line))
  assert.equal(answers.length, all.length)
  const differences = []
  const counts = new Map()
  all.forEach((expression, i) => {
    const ours = 'error' in answers[i] ? `error: ${answers[i].error}` : answers[i].result
    let theirs
    try {
      theirs = plain(feelin.evaluate(expression, context).value, feelin)
    } catch (error) {
      theirs = `error: ${error.message}`
    }
    if (same(ours, theirs)) return
    const row = explanation(expression, ours, theirs)
    if (row) counts.set(row.name, (counts.get(row.name) || 0) + 1)
    else differences.push(`${expression}\n    beeline ${JSON.stringify(ours)}\n    feelin  ${JSON.stringify(theirs)}`)
  })
  test.diagnostic(`seed ${SEED}: ${all.length} expressions, explained: ${JSON.stringify([...counts])}`)
  assert.equal(differences.length, 0, `seed ${SEED}: ${differences.length} differ\n${differences.slice(0, 40).join('\n')}`)
})
