'use strict'
// Random FEEL expressions of the part that all implementations share: literals, operators, paths,
// filters, loops, quantifiers and the common functions, each of the type that its place requires.
// Numbers stay small and are halves at most, so decimals and doubles agree.

// A generator of 32 random bits (mulberry32): the same seed gives the same expressions everywhere.
function random(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

// The variables of the expressions.
const context = {
  n: 7,
  half: 2.5,
  neg: -3,
  zero: 0,
  s: 'beeline',
  empty: '',
  mixed: 'Ab cd',
  yes: true,
  no: false,
  nothing: null,
  ns: [5, 3, 8, 3],
  ss: ['b', 'a', 'c'],
  none: [],
  who: { name: 'Ada', age: 36, tags: ['x', 'y'], home: { city: 'Graz' } },
  people: [
    { name: 'Ada', age: 36 },
    { name: 'Bob', age: 20 },
    { name: 'Cy', age: 51 },
  ],
}

class Generator {
  constructor(seed) {
    this.next = random(seed)
    this.locals = { number: [], string: [] }
  }
  int(limit) {
    return Math.floor(this.next() * limit)
  }
  pick(items) {
    return items[this.int(items.length)]
  }
  // Calls one of the functions.
  choose(choices) {
    return this.pick(choices)()
  }
  expression() {
    const depth = 1 + this.int(4)
    return this[this.pick(['number', 'boolean', 'string', 'numbers', 'strings', 'record', 'date', 'days', 'any'])](depth)
  }

  any(depth) {
    return this[this.pick(['number', 'boolean', 'string', 'numbers', 'strings', 'nothing'])](depth)
  }
  nothing() {
    return this.pick(['null', 'nothing', 'unknown', 'who.unknown', 'none[1]'])
  }

  number(depth) {
    if (depth <= 0) {
      const locals = this.locals.number
      if (locals.length > 0 && this.next() < 0.5) return this.pick(locals)
      return this.pick(['n', 'half', 'neg', 'zero', 'who.age', 'ns[1]', 'ns[-1]', String(this.int(12)), '0.5', '10', '-4'])
    }
    const n = () => this.number(depth - 1)
    const ns = () => this.numbers(depth - 1)
    const s = () => this.string(depth - 1)
    return this.choose([
      () => `(${n()} + ${n()})`,
      () => `(${n()} - ${n()})`,
      () => `(${n()} * ${n()})`,
      () => `(${n()} / ${n()})`,
      () => `(${this.pick(['2', '3', 'n', 'neg'])} ** ${this.int(4)})`,
      () => `-(${n()})`,
      () => `(if ${this.boolean(depth - 1)} then ${n()} else ${n()})`,
      () => `abs(${n()})`,
      () => `floor(${n()})`,
      () => `ceiling(${n()})`,
      () => `modulo(${n()}, ${this.pick(['2', '5', '3', '-4'])})`,
      () => `min(${ns()})`,
      () => `max(${ns()})`,
      () => `sum(${ns()})`,
      () => `count(${ns()})`,
      () => `mean(${ns()})`,
      () => `median(${ns()})`,
      () => `string length(${s()})`,
      () => `number("${this.int(100)}.5")`,
      () => `${ns()}[${1 + this.int(3)}]`,
      () => `${ns()}[-1]`,
      () => `count(${this.strings(depth - 1)})`,
      () => `people[${1 + this.int(3)}].age`,
      () => `{a: ${n()}, b: a + 1}.b`,
      () => `(function(x) x + ${n()})(${n()})`,
      () => `count(index of(${ns()}, 3))`,
      () => `decimal(${n()}, ${this.int(3)})`,
      () => `${this.date(depth - 1)}.${this.pick(['year', 'month', 'day'])}`,
    ])
  }

  boolean(depth) {
    if (depth <= 0) return this.pick(['true', 'false', 'yes', 'no', 'n > 5', 's = "beeline"'])
    const b = () => this.boolean(depth - 1)
    const n = () => this.number(depth - 1)
    const s = () => this.string(depth - 1)
    const ns = () => this.numbers(depth - 1)
    return this.choose([
      () => `(${b()} and ${b()})`,
      () => `(${b()} or ${b()})`,
      () => `not(${b()})`,
      () => `(${n()} ${this.pick(['<', '<=', '>', '>=', '=', '!='])} ${n()})`,
      () => `(${s()} ${this.pick(['<', '>', '=', '!='])} ${s()})`,
      () => `(${n()} between ${n()} and ${n()})`,
      () => `(${n()} in ${this.pick(['[', '('])}${this.int(5)}..${5 + this.int(5)}${this.pick([']', ')'])})`,
      () => `(${n()} in (1, 2, 7))`,
      () => `(${n()} in (< 3, > 6))`,
      () => `(${n()} instance of number)`,
      () => `(${this.any(depth - 1)} = null)`,
      () => `contains(${s()}, ${s()})`,
      () => `starts with(${s()}, ${this.pick(['"b"', '"A"', 's'])})`,
      () => `ends with(${s()}, ${this.pick(['"e"', '"d"'])})`,
      () => `matches(${s()}, "${this.pick(['[a-c]+', '^b', 'e$', 'x'])}")`,
      () => `list contains(${ns()}, ${n()})`,
      () => `(some x in ${ns()} satisfies x > ${n()})`,
      () => `(every x in ${ns()} satisfies x > ${n()})`,
      () => `all([${b()}, ${b()}])`,
      () => `any([${b()}, ${b()}])`,
      () => `odd(${this.int(9)})`,
      () => `even(${this.int(9)})`,
      () => `(${this.date(depth - 1)} ${this.pick(['<', '>', '='])} ${this.date(depth - 1)})`,
      () => `(${this.days(depth - 1)} ${this.pick(['<', '>', '='])} ${this.days(depth - 1)})`,
      () => `before(${this.int(9)}, ${this.int(9)})`,
      () => `includes([1..${this.int(9)}], ${this.int(9)})`,
      () => `overlaps([1..${3 + this.int(5)}], [${this.int(9)}..12])`,
    ])
  }

  string(depth) {
    if (depth <= 0) {
      const locals = this.locals.string
      if (locals.length > 0 && this.next() < 0.5) return this.pick(locals)
      return this.pick(['s', 'empty', 'mixed', 'who.name', 'who.home.city', '"x"', '"b, c"', 'ss[2]'])
    }
    const s = () => this.string(depth - 1)
    return this.choose([
      () => `(${s()} + ${s()})`,
      () => `upper case(${s()})`,
      () => `lower case(${s()})`,
      () => `substring(${s()}, ${1 + this.int(3)})`,
      () => `substring(${s()}, ${1 + this.int(3)}, ${1 + this.int(3)})`,
      () => `substring(${s()}, -${1 + this.int(2)})`,
      () => `substring before(${s()}, ${this.pick(['"l"', '"zz"', '" "'])})`,
      () => `substring after(${s()}, ${this.pick(['"l"', '"zz"', '" "'])})`,
      () => `replace(${s()}, "${this.pick(['e', '[a-e]', 'zz'])}", "${this.pick(['X', ''])}")`,
      () => `string(${this.number(depth - 1)})`,
      () => `string join(${this.strings(depth - 1)}, "${this.pick(['', ', '])}")`,
      () => `(if ${this.boolean(depth - 1)} then ${s()} else ${s()})`,
      () => `${this.strings(depth - 1)}[${1 + this.int(2)}]`,
      () => `people[age > ${this.pick(['20', '40', '60'])}][1].name`,
      () => `string(${this.date(depth - 1)})`,
    ])
  }

  numbers(depth) {
    if (depth <= 0) return this.pick(['ns', 'none', '[1, 2, 3]', '[n, half]', 'people.age'])
    const ns = () => this.numbers(depth - 1)
    const n = () => this.number(depth - 1)
    const loop = (make) => {
      this.locals.number.push('x')
      const made = make()
      this.locals.number.pop()
      return made
    }
    return this.choose([
      () => `[${n()}, ${n()}]`,
      () => `append(${ns()}, ${n()})`,
      () => `concatenate(${ns()}, ${ns()})`,
      () => `reverse(${ns()})`,
      () => `distinct values(${ns()})`,
      () => `union(${ns()}, ${ns()})`,
      () => `sublist(${ns()}, 1, ${1 + this.int(2)})`,
      () => `insert before(${ns()}, 1, ${n()})`,
      () => `remove(${ns()}, 1)`,
      () => `flatten([${ns()}, [${n()}]])`,
      () => `index of(${ns()}, 3)`,
      () => `sort(${ns()}, function(a, b) a < b)`,
      () => `(for x in ${ns()} return ${loop(() => n())})`,
      () => `(for x in 1..${1 + this.int(4)} return ${loop(() => n())})`,
      () => `${ns()}[item > ${n()}]`,
      () => `people[age > ${n()}].age`,
    ])
  }

  strings(depth) {
    if (depth <= 0) return this.pick(['ss', 'who.tags', '["p", "q"]', 'people.name'])
    const ss = () => this.strings(depth - 1)
    return this.choose([
      () => `[${this.string(depth - 1)}, ${this.string(depth - 1)}]`,
      () => `split(${this.string(depth - 1)}, "${this.pick(['e', ' ', ','])}")`,
      () => `append(${ss()}, ${this.string(depth - 1)})`,
      () => `concatenate(${ss()}, ${ss()})`,
      () => `reverse(${ss()})`,
      () => `distinct values(${ss()})`,
      () => `${ss()}[item != "a"]`,
      () => `sort(${ss()}, function(a, b) a < b)`,
      () => `people[age > ${this.number(depth - 1)}].name`,
    ])
  }

  record(depth) {
    if (depth <= 0) return this.pick(['who', 'who.home', '{a: 1}', 'people[1]', '{}'])
    return this.choose([
      () => `{a: ${this.any(depth - 1)}, b: ${this.number(depth - 1)}}`,
      () => `{"a key": ${this.any(depth - 1)}}`,
      () => `context put(${this.record(depth - 1)}, "put", ${this.number(depth - 1)})`,
      () => `context merge([${this.record(depth - 1)}, ${this.record(depth - 1)}])`,
      () => `(if ${this.boolean(depth - 1)} then ${this.record(depth - 1)} else ${this.record(depth - 1)})`,
    ])
  }

  date(depth) {
    const literal = () =>
      `date("20${10 + this.int(30)}-0${1 + this.int(9)}-${10 + this.int(19)}")`
    if (depth <= 0) return literal()
    return this.choose([
      literal,
      () => `date(20${10 + this.int(30)}, ${1 + this.int(12)}, ${1 + this.int(28)})`,
      () => `(${this.date(depth - 1)} + ${this.days(0)})`,
      () => `(${this.date(depth - 1)} - ${this.days(0)})`,
      () => `(${this.date(depth - 1)} + duration("P${1 + this.int(20)}M"))`,
    ])
  }

  // Days and time durations, with whole days only, so dates stay dates.
  days(depth) {
    if (depth <= 0) return `duration("P${1 + this.int(40)}D")`
    return this.choose([
      () => `(${this.days(depth - 1)} + ${this.days(depth - 1)})`,
      () => `(${this.days(depth - 1)} * ${1 + this.int(4)})`,
      () => `(${this.date(depth - 1)} - ${this.date(depth - 1)})`,
      () => `duration("P${this.int(3)}DT${this.int(30)}H")`,
    ])
  }
}

// Returns `count` different expressions.
function expressions(seed, count) {
  const generator = new Generator(seed)
  const made = new Set()
  while (made.size < count) made.add(generator.expression())
  return [...made]
}

module.exports = { context, expressions }
