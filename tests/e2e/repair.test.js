'use strict'
// A data directory whose checkpoint is ahead of its log, and `beeline repair`.
const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { after, describe, it } = require('node:test')
const { Raw } = require('./lib/clients')
const { Server, beeline } = require('./lib/server')
const { oneTask } = require('./lib/models')
const { unique } = require('./lib/wait')

describe('repair', { timeout: 300_000 }, () => {
  const servers = []
  after(() => Promise.all(servers.map((server) => server.kill())))

  it('makes a directory usable whose checkpoint is ahead of its log', async () => {
    const server = await Server.start({})
    servers.push(server)
    const data = server.dataDirectory
    const run = (...args) => beeline([...args, '--data', data])
    const use = async (work) => {
      const raw = new Raw(server.address)
      const result = await work(raw)
      raw.close()
      return result
    }
    const [id, type] = [unique('p'), unique('t')]
    const create = (raw) => raw.call('CreateProcessInstance', { bpmnProcessId: id, version: -1 })
    await use(async (raw) => {
      await raw.call('DeployResource', { resources: [{ name: 'p.bpmn', content: Buffer.from(oneTask(id, type)) }] })
      await create(raw)
    })
    const inUse = await run('repair', '--accept-checkpoint')
    assert.equal(inUse.code, 1)
    assert.match(inUse.stderr, /in use by another process/)
    await server.stop()
    const sound = await run('repair', '--accept-checkpoint')
    assert.equal(sound.code, 1)
    assert.match(sound.stderr, /nothing in .* needs repair/)

    // Combines the log of now with the checkpoint of later.
    const journal = path.join(data, 'partition-1', 'journal')
    fs.cpSync(journal, `${data}-journal`, { recursive: true })
    await server.restart()
    await use(create)
    await server.stop()
    fs.rmSync(journal, { recursive: true })
    fs.renameSync(`${data}-journal`, journal)

    const verified = await run('verify')
    assert.equal(verified.code, 1)
    assert.match(verified.stderr, /checkpoint is at position \d+, but the log ends at \d+.*beeline repair --data .* --accept-checkpoint/)
    const undecided = await run('repair')
    assert.equal(undecided.code, 1)
    assert.match(undecided.stderr, /--accept-checkpoint/)
    const repaired = await run('repair', '--accept-checkpoint')
    assert.equal(repaired.code, 0, repaired.stderr)
    const [, first, last] = repaired.stdout.match(/Positions (\d+) to (\d+) will never be on it/)
    assert.match(fs.readFileSync(path.join(data, 'beeline.gaps'), 'utf8'), new RegExp(`^1 ${first} ${last} `, 'm'))

    await server.restart()
    await use(async (raw) => {
      await create(raw)
      const { jobs } = await raw.activate({ type, maxJobsToActivate: 10, timeout: 60_000 })
      assert.equal(jobs.length, 3, 'what the checkpoint knows is there, though the log does not have it')
    })
    await server.stop()
    const after_ = await run('verify')
    assert.equal(after_.code, 0, after_.stderr)
    assert.match(after_.stdout, new RegExp(`positions ${first} to ${last} are not on the log`))
  })
})
