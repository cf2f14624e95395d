'use strict'
// Everything that was acknowledged exists after a restart, however the server ended.
const assert = require('node:assert/strict')
const { after, describe, it } = require('node:test')
const { Clients, Raw, refused } = require('./lib/clients')
const { Server, beeline } = require('./lib/server')
const { oneTask, parallel, process, service, start, end } = require('./lib/models')
const { unique, until, within } = require('./lib/wait')

const deploy = (raw, xml) =>
  raw.call('DeployResource', { resources: [{ name: 'p.bpmn', content: Buffer.from(xml) }] })
const create = (raw, id, variables = {}) =>
  raw.call('CreateProcessInstance', { bpmnProcessId: id, version: -1, variables: JSON.stringify(variables) })

describe('restart', { timeout: 300_000 }, () => {
  const servers = []
  after(() => Promise.all(servers.map((server) => server.kill())))
  const startServer = async (options) => {
    const server = await Server.start(options)
    servers.push(server)
    return server
  }

  for (const [name, how] of [
    ['stopped', (server) => server.stop().then((exit) => assert.equal(exit.code, 0, server.tail()))],
    ['killed', (server) => server.kill()],
  ]) {
    it(`everything acknowledged is there after the server was ${name}`, async () => {
      const server = await startServer()
      let raw = new Raw(server.address)
      const [id, type] = [unique('p'), unique('t')]
      const deployed = await deploy(raw, oneTask(id, type, { headers: { h: 'v' }, retries: 7 }))
      const instances = []
      for (let i = 0; i < 20; i++) instances.push((await create(raw, id, { i })).processInstanceKey)
      const { jobs } = await raw.activate({ type, maxJobsToActivate: 10, timeout: 3_600_000 })
      assert.equal(jobs.length, 10)
      for (const job of jobs.slice(0, 5)) await raw.call('CompleteJob', { jobKey: job.key })
      await raw.call('FailJob', { jobKey: jobs[5].key, retries: 2, errorMessage: 'again' })
      await raw.call('FailJob', { jobKey: jobs[6].key, retries: 0, errorMessage: 'stuck' })
      await raw.call('CancelProcessInstance', { processInstanceKey: jobs[7].processInstanceKey })
      await raw.call('SetVariables', { elementInstanceKey: jobs[8].processInstanceKey, variables: '{"later":true}' })
      raw.close()

      await how(server)
      await server.restart()
      raw = new Raw(server.address)

      // The deployment exists: the same file is a duplicate.
      const again = await deploy(raw, oneTask(id, type, { headers: { h: 'v' }, retries: 7 }))
      assert.deepEqual(again.deployments, deployed.deployments)
      // Completed and cancelled jobs are gone for good.
      for (const job of [...jobs.slice(0, 5), jobs[7]]) {
        await refused(raw.call('CompleteJob', { jobKey: job.key }), 'NOT_FOUND')
      }
      // Jobs that failed with retries and jobs that were never activated are offered; activated
      // jobs are not.
      const offered = await raw.activate({ type, maxJobsToActivate: 100 })
      const expected = [jobs[5].processInstanceKey, ...instances.slice(10)]
      assert.deepEqual(offered.jobs.map((job) => job.processInstanceKey).sort(), expected.sort())
      const failed = offered.jobs.find((job) => job.key === jobs[5].key)
      assert.equal(failed.retries, 2)
      assert.equal(failed.customHeaders, '{"h":"v"}')
      // The worker that holds a job can complete it, and the variable that was set exists.
      await raw.call('UpdateJobTimeout', { jobKey: jobs[8].key, timeout: 1 })
      const lapsed = await raw.activate({ type, requestTimeout: 50_000 })
      assert.deepEqual(JSON.parse(lapsed.jobs[0].variables), { i: 8, later: true })
      // The incident still exists: retries alone do not make the job available.
      await raw.call('UpdateJobRetries', { jobKey: jobs[6].key, retries: 1 })
      await refused(raw.call('CompleteJob', { jobKey: jobs[6].key }), 'FAILED_PRECONDITION', "state 'FAILED'")
      // New keys continue after the old ones.
      const fresh = await create(raw, id)
      for (const key of [...instances, ...jobs.map((job) => job.key)]) {
        assert.ok(BigInt(fresh.processInstanceKey) > BigInt(key))
      }
      raw.close()
      assert.equal((await server.stop()).code, 0)
    })
  }

  it('many restarts in a row, by either way, lose nothing and repeat nothing', async () => {
    const server = await startServer()
    const [id, type] = [unique('p'), unique('t')]
    let raw = new Raw(server.address)
    await deploy(raw, process(id, [start(), service('one', { type }), service('two', { type }), end()]))
    const done = new Set()
    const keys = new Set()
    for (let round = 0; round < 6; round++) {
      for (let i = 0; i < 5; i++) keys.add((await create(raw, id)).processInstanceKey)
      const { jobs } = await raw.activate({ type, maxJobsToActivate: 7, timeout: 1, requestTimeout: 20_000 })
      for (const job of jobs) {
        assert.ok(!done.has(job.key), 'a completed job came back')
        await raw.call('CompleteJob', { jobKey: job.key })
        done.add(job.key)
      }
      raw.close()
      await (round % 2 ? server.stop() : server.kill())
      await server.restart()
      raw = new Raw(server.address)
    }
    assert.equal(keys.size, 30)
    await until('all jobs are done', async () => {
      const { jobs } = await raw.activate({ type, maxJobsToActivate: 100, requestTimeout: 2000 })
      for (const job of jobs) {
        assert.ok(!done.has(job.key), 'a completed job came back')
        await raw.call('CompleteJob', { jobKey: job.key })
        done.add(job.key)
      }
      return done.size === 60
    })
    for (const processInstanceKey of keys) {
      await refused(raw.call('CancelProcessInstance', { processInstanceKey }), 'NOT_FOUND')
    }
    raw.close()
    assert.equal((await server.stop()).code, 0)
    const verified = await beeline(['verify', '--data', server.dataDirectory])
    assert.equal(verified.code, 0, verified.stdout + verified.stderr)
  })

  it('a token that waits at a join is there after a restart', async () => {
    const server = await startServer()
    let raw = new Raw(server.address)
    const [id, left, right] = [unique('p'), unique('l'), unique('r')]
    await deploy(
      raw,
      process(
        id,
        [start(), parallel('fork'), service('left', { type: left }), service('right', { type: right }), parallel('join'), end()],
        [['start', 'fork'], ['fork', 'left'], ['fork', 'right'], ['left', 'join'], ['right', 'join'], ['join', 'end']],
      ),
    )
    const { processInstanceKey } = await create(raw, id)
    const job = (await raw.activate({ type: left })).jobs[0]
    await raw.call('CompleteJob', { jobKey: job.key })
    raw.close()
    await server.kill()
    await server.restart()
    raw = new Raw(server.address)
    const other = (await raw.activate({ type: right })).jobs[0]
    await raw.call('CompleteJob', { jobKey: other.key })
    await refused(raw.call('CancelProcessInstance', { processInstanceKey }), 'NOT_FOUND')
    raw.close()
    assert.equal((await server.stop()).code, 0)
  })

  it('[65] zeebe-node and the SDK reconnect by themselves and their workers go on', async () => {
    const server = await startServer()
    const clients = new Clients(server)
    const [id, type, otherType] = [unique('p'), unique('t'), unique('t')]
    await deploy(clients.raw(), process(id, [start(), service('a', { type }), service('b', { type: otherType }), end()]))
    const completed = { a: new Set(), b: new Set() }
    const handler = (seen) => (job) => {
      assert.ok(!seen.has(job.key), 'a completed job came back')
      return job.complete().then((answer) => {
        seen.add(job.key)
        return answer
      })
    }
    // Activations are short: a job whose completion was lost with the server is offered again soon.
    clients.node({ retry: true }).createWorker({ taskType: type, timeout: 2000, taskHandler: handler(completed.a) })
    clients
      .sdk({ zeebeGrpcSettings: { ZEEBE_CLIENT_LOG_LEVEL: 'NONE', ZEEBE_GRPC_WORKER_LONGPOLL_SECONDS: 3 } })
      .createWorker({ taskType: otherType, timeout: 2000, taskHandler: handler(completed.b) })
    const raw = clients.raw()
    for (let i = 0; i < 10; i++) await create(raw, id)
    await server.kill()
    await server.restart()
    await until('the gateway is reachable again', () => raw.call('Topology').then(() => true))
    for (let i = 0; i < 10; i++) await create(raw, id)
    await until('all instances are done', async () => completed.a.size >= 20 && completed.b.size >= 20)
    await clients.close()
    await server.stop()
  })

  it('[67] a graceful stop ends parked polls and streams with OK and says so by health first', async () => {
    const server = await startServer()
    const raw = new Raw(server.address)
    const [id, type] = [unique('p'), unique('t')]
    await deploy(raw, oneTask(id, type))
    const poll = raw.activate({ type: unique('idle'), requestTimeout: 50_000 })
    const stream = raw.openStream({ type })
    await until('the stream is open', async () => {
      await create(raw, id)
      return stream.jobs.length > 0
    })
    const exit = server.stop()
    assert.equal((await within('the poll ends', poll)).messages, 0)
    assert.equal(await within('the stream ends', stream.ended), undefined)
    raw.close()
    assert.equal((await exit).code, 0)
  })

  it('an empty data directory is ready at once', async () => {
    const server = await startServer()
    assert.ok(server.readyAfterMs < 10_000, `${server.readyAfterMs} ms`)
    await server.stop()
  })
})
