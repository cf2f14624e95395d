'use strict'
// The real binary on a disk that fails. Each round does one thing to the disk or to the process while
// clients are at work, and then compares the server with what it had acknowledged:
//   kill       SIGKILL
//   power      the power fails, at any moment or at the n-th call to some file: unsynced writes
//              are undone
//   error      the n-th write, sync, rename, creation or removal fails with EIO: the server continues, or
//              ends by itself and recovers
//   short      writes write fewer bytes than requested; syncs are slow
//   full       there is no room: commands are refused, /ready and /health give the reason, the server continues
//              when there is room; the same when it starts on a full disk
//   damage     a file is cut short, changed or removed while the server is down: the start names it, or
//              nothing is lost
// At the end every acknowledged instance runs to its end, verify finds the data sound, and the exported
// records agree with the ledger (../crash/audit.js).
//
//   node tests/faults/faults.js [--rounds N] [--seed S] [--partitions N] [--only kind] [--omit-sync]
//
// With --omit-sync the disk pretends to sync the journal and does not: the test must notice it, and
// fails when it does not.

const fs = require('node:fs')
const path = require('node:path')
const { parseArgs } = require('node:util')
const { pause, until, within } = require('../e2e/lib/wait')
const { audit } = require('../crash/audit')
const { Load, World, check, deploy, finishAll, grpc } = require('./world')

const EIO = 5

// A small seeded random generator.
function generator(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
const below = (random, n) => Math.floor(random() * n)
const pick = (random, items) => items[below(random, items.length)]

// Calls that a fault may affect: the call, a text in the path, and about how many of them a round
// has.
const CALLS = [
  ['write', '/segment-', 60],
  ['sync', '/segment-', 60],
  ['write', '/spare-', 6],
  ['sync', '/spare-', 3],
  ['rename', '/spare-', 2],
  ['rename', '/segment-', 2],
  ['create', '/spare-', 2],
  ['allocate', '/spare-', 2],
  ['sync', '/journal', 3],
  ['write', '/commit-note', 3],
  ['sync', '/commit-note', 3],
  ['write', '/checkpoint/', 30],
  ['sync', '/checkpoint/', 10],
  ['create', '/checkpoint/', 5],
  ['rename', '/checkpoint/', 3],
  ['write', 'data-export/', 10],
  ['sync', 'data-export/', 8],
  ['rename', 'data-export/', 2],
  ['write', '/exporters/', 6],
  ['rename', '/exporters/', 6],
  ['any', '/', 300],
]
function someCall(random) {
  const [call, text, usual] = pick(random, CALLS)
  return `${call} ${text} ${1 + below(random, usual)}`
}

const ROUNDS = {
  async kill(world, load) {
    await load.until(below(world.random, 150))
    await world.server.kill()
    await load.stop()
    await world.restart()
    return 'killed'
  },

  async power(world, load) {
    const { random } = world
    const seed = below(random, 1e9)
    let what = 'at some moment'
    if (random() < 0.5) {
      await load.until(below(random, 150))
    } else {
      const call = someCall(random)
      what = `at ${call}`
      await world.command(`power-at ${call} ${seed}`)
      await load.until(200, 1500)
    }
    if (world.server.alive) await world.command(`power ${seed}`)
    await world.server.exited
    await load.stop()
    // Sometimes the power fails again while the server recovers.
    let again = ''
    if (random() < 0.25) {
      world.server.options.env = world.environment(`power-at any / ${1 + below(random, 200)} ${seed}`)
      world.server.spawn()
      await Promise.race([world.server.exited, pause(400)])
      if (world.server.alive) await world.server.kill()
      again = ', and again during recovery'
    }
    await world.restart()
    return `power lost ${what}${again}`
  },

  async error(world, load, before) {
    const call = someCall(world.random)
    await world.command(`fail ${call} ${EIO} ${pick(world.random, [1, 1, 3])}`)
    await load.until(150, 1500)
    await world.command('clear')
    await load.stop()
    // The server may notice an earlier failure only while it is being checked.
    const works = await check(world, before).then(
      () => world.server.alive,
      () => false,
    )
    if (!works) {
      const { code, signal } = await within('the server ends', world.server.exited)
      if (code !== 1) world.ledger.wrong.push(`the server ended with ${signal || code}, not 1`)
      await world.restart()
    }
    return `${call} failed${works ? '' : ', the server ended by itself'}`
  },

  async short(world, load) {
    const { random } = world
    await world.command(`shorten write ${pick(random, ['/segment-', '/checkpoint/', 'data-export/', '/'])} 1 -1`)
    await world.command(`delay sync ${pick(random, ['/segment-', '/checkpoint/', '/'])} 1 ${below(random, 20)} 20`)
    await load.until(100, 2000)
    await load.stop()
    await world.command('clear')
    if (!world.server.alive) world.ledger.wrong.push('the server ended of short writes')
    return 'writes were short and syncs slow'
  },

  async full(world, load) {
    const mode = pick(world.random, ['soft', 'hard'])
    await load.until(30)
    await world.command(`full ${mode}`)
    await expectFull(world, load)
    await load.stop()
    await expectRoomHelps(world)
    return `the disk was full (${mode})`
  },

  async fullStart(world, load) {
    const { random, server } = world
    await load.until(30)
    if (random() < 0.5) await world.command('full soft')
    const exit = random() < 0.5 ? await server.stop() : await server.kill()
    await load.stop()
    if (exit.signal === null && exit.code !== 0) world.ledger.wrong.push(`the server ended with ${exit.code} on a full disk`)
    server.options.env = world.environment('full soft')
    server.spawn()
    await expectFull(world, undefined)
    await expectRoomHelps(world)
    return 'started on a full disk'
  },

  async cut(world, load) {
    await load.until(60)
    const exit = await stopSomehow(world, load)
    return onDamaged(world, async () => {
      const segment = lastSegment(world)
      const size = fs.statSync(segment).size
      const length = 64 + below(world.random, size - 64)
      fs.truncateSync(segment, length)
      await expectRefusal(world, [segment, String(length), String(size)])
      return `${exit}, then ${name(world, segment)} cut to ${length} of ${size} bytes`
    })
  },

  async missing(world, load) {
    await load.until(60)
    const exit = await stopSomehow(world, load)
    return onDamaged(world, async () => {
      const segment = lastSegment(world)
      fs.unlinkSync(segment)
      await expectRefusal(world, [segment])
      return `${exit}, then ${name(world, segment)} removed`
    })
  },

  // The server is stopped in order, so everything is noted as committed.
  async flip(world, load, before) {
    await load.until(60)
    await load.stop()
    await world.server.stop()
    return onDamaged(world, async () => {
      const kind = pick(world.random, [/segment-/, /segment-/, /checkpoint\/.*(sst|MANIFEST|CURRENT)/, /commit-note/, /\.position$/])
      const file = pick(world.random, world.files(kind))
      const bytes = fs.readFileSync(file)
      const used = bytes.length - trailingZeros(bytes)
      const at = below(world.random, Math.max(1, used))
      bytes[at] ^= 1 << below(world.random, 8)
      fs.writeFileSync(file, bytes)
      const refusal = await world.refusal()
      if (refusal === undefined) await check(world, before)
      else if (!refusal.includes(path.dirname(file)) && !refusal.includes(path.basename(file))) {
        world.ledger.wrong.push(`the refusal does not name ${file}: ${refusal}`)
      }
      return `a bit of ${name(world, file)} flipped at ${at}: ${refusal === undefined ? 'nothing is lost' : 'refused'}`
    })
  },
}

// The number of rounds of each kind, of 124 rounds.
const SHARES = { kill: 14, power: 44, error: 26, short: 6, full: 8, fullStart: 6, cut: 6, missing: 4, flip: 10 }

const name = (world, file) => path.relative(world.root, file)

function trailingZeros(bytes) {
  let n = 0
  while (n < bytes.length && bytes[bytes.length - 1 - n] === 0) n += 1
  return n
}

function lastSegment(world) {
  const partition = pick(world.random, [...new Set(world.files(/segment-/).map((file) => path.dirname(file)))])
  return world.files(/segment-/).filter((file) => path.dirname(file) === partition).pop()
}

async function stopSomehow(world, load) {
  const kills = world.random() < 0.5
  if (!kills) await load.stop()
  await (kills ? world.server.kill() : world.server.stop())
  await load.stop()
  return kills ? 'killed' : 'stopped'
}

// All changes to the files are undone afterwards, and the server is started.
async function onDamaged(world, body) {
  const said = await world.onCopy(body)
  await world.restart()
  return said
}

async function expectRefusal(world, texts) {
  const { wrong } = world.ledger
  const refusal = await world.refusal()
  if (refusal === undefined) return wrong.push('the server started on a damaged log')
  if (world.server.exit.code !== 1) wrong.push(`the start ended with ${world.server.exit.signal || world.server.exit.code}`)
  const verified = await world.verify()
  if (verified.code !== 1) wrong.push(`verify ended with ${verified.code}: ${verified.stdout}`)
  for (const text of texts) {
    if (!refusal.includes(text)) wrong.push(`the start does not name ${text}: ${refusal}`)
    if (!verified.stderr.includes(text)) wrong.push(`verify does not name ${text}: ${verified.stderr}`)
  }
  return undefined
}

async function expectFull(world, load) {
  const { server, ledger } = world
  await until('/ready says that the disk is full', async () => {
    const answer = await server.get('/ready').catch(() => ({ status: 0, body: '' }))
    if (!server.alive) throw new Error('the server ended on a full disk')
    return answer.status === 503 && answer.body.includes('disk is full')
  })
  const health = await server.get('/health')
  if (health.status !== 503 || !health.body.includes('disk is full')) ledger.wrong.push(`/health on a full disk: ${health.status} ${health.body}`)
  const started = Date.now()
  const code = await world.withClient((raw) => raw.call('CreateProcessInstance', { bpmnProcessId: 'order', version: -1 }).then(() => 0, (error) => error.code))
  const millis = Date.now() - started
  // One of several partitions may still have room.
  const expected = world.server.options.partitions > 1 && load ? [0, grpc.status.RESOURCE_EXHAUSTED] : [grpc.status.RESOURCE_EXHAUSTED]
  if (!expected.includes(code)) ledger.wrong.push(`a command on a full disk ended with ${code}`)
  if (millis > 2000) ledger.wrong.push(`a command on a full disk was answered after ${millis} ms`)
}

async function expectRoomHelps(world) {
  await world.command('full off')
  await world.server.ready()
  await world.withClient(async (raw) => {
    const answer = await raw.call('CreateProcessInstance', { bpmnProcessId: 'order', version: -1 })
    world.ledger.instances.add(answer.processInstanceKey)
  })
}

async function playRound(world, kind, round) {
  const { ledger } = world
  const before = { instances: ledger.instances.size, completions: ledger.completions.size, deployments: ledger.deployments.length }
  await deploy(world, round)
  const load = new Load(world).run()
  let said
  try {
    said = await ROUNDS[kind](world, load, before)
  } finally {
    load.stopping = true
  }
  await load.stop()
  await check(world, before)
  return `${said}: ${ledger.instances.size - before.instances} instances, ${ledger.completions.size - before.completions} completions acknowledged`
}

// Returns the kinds of all rounds, each as often as its share, in random order.
function plan(random, rounds, only) {
  if (only) return Array(rounds).fill(only)
  const kinds = []
  const total = Object.values(SHARES).reduce((sum, share) => sum + share, 0)
  for (const [kind, share] of Object.entries(SHARES)) {
    for (let i = 0; i < Math.max(1, Math.round((share * rounds) / total)); i++) kinds.push([random(), kind])
  }
  return kinds.sort((a, b) => a[0] - b[0]).map(([, kind]) => kind)
}

async function lastChecks(world) {
  const { server, ledger } = world
  await finishAll(world)
  const exit = await server.stop()
  if (exit.code !== 0) ledger.wrong.push(`the server ended with ${exit.signal || exit.code}`)
  const verified = await world.verify()
  if (verified.code !== 0) ledger.wrong.push(`verify: ${verified.stdout}${verified.stderr}`)
  return audit(server.records(), ledger)
}

async function main() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      partitions: { type: 'string', default: '2' },
      only: { type: 'string' },
      'omit-sync': { type: 'boolean', default: false },
    },
  })
  const omits = values['omit-sync']
  const rounds = Number(values.rounds || (omits ? '12' : '124'))
  console.log(`seed ${values.seed} (the load depends on timing too: a seed repeats the choices, not the run)`)
  const random = generator(Number(values.seed))
  const world = new World({ random, partitions: Number(values.partitions), faults: omits ? 'omit /segment-;omit /spare-' : '' })
  const { ledger } = world
  const count = { passed: 0, failed: 0 }
  const step = async (title, body) => {
    let said
    try {
      said = await body()
    } catch (error) {
      ledger.wrong.push(error.stack)
    }
    if (ledger.wrong.length === 0) {
      count.passed += 1
      console.log(`${title}: ok, ${said}`)
      return true
    }
    count.failed += 1
    console.log(`${title}: FAILED${said ? `, ${said}` : ''}\n  ${ledger.wrong.slice(0, 20).join('\n  ')}`)
    if (!omits) console.log(`--- server log ---\n${world.server.tail()}\n------------------`)
    ledger.wrong.length = 0
    return false
  }
  await world.start()
  const kinds = plan(random, rounds, omits ? 'power' : values.only)
  for (let round = 1; round <= kinds.length; round++) {
    const kind = kinds[round - 1]
    const passed = await step(`round ${round}, ${kind}`, () => playRound(world, kind, round))
    if (!passed && (omits || !world.server.alive)) break
  }
  if (omits) {
    const noticed = count.failed > 0
    console.log(noticed ? 'the missing sync was noticed' : 'the missing sync was NOT noticed')
    console.log(noticed ? '1 passed, 0 failed' : '0 passed, 1 failed')
    process.exit(noticed ? 0 : 1)
  }
  if (world.server.alive) await step('audit', () => lastChecks(world))
  console.log(`${count.passed} passed, ${count.failed} failed`)
  process.exit(count.failed === 0 ? 0 : 1)
}

main().catch((error) => {
  console.log(error.stack)
  console.log('0 passed, 1 failed')
  process.exit(1)
})
