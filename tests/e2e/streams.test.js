'use strict'
const assert = require('node:assert/strict')
const { suite } = require('./lib/suite')
const { Raw, refused } = require('./lib/clients')
const { oneTask } = require('./lib/models')
const { unique, until, within } = require('./lib/wait')

suite('job streams', { concurrency: 4 }, ({ check, raw, deploy, server }) => {
  const oneTaskProcess = async (options) => {
    const id = unique('p')
    const type = unique('t')
    await deploy(oneTask(id, type, options))
    return { id, type }
  }
  const create = (id, variables = {}) =>
    raw().call('CreateProcessInstance', { bpmnProcessId: id, version: -1, variables: JSON.stringify(variables) })

  // Opens a stream and ensures that the server knows it: a probe job arrives.
  const openStream = async (client, { id, type }, more = {}) => {
    const stream = client.openStream({ type, ...more })
    await until('the stream is registered', async () => {
      if (stream.jobs.length > 0) return true
      await create(id, { probe: true })
      await until('a probe arrives', () => stream.jobs.length > 0, 2000).catch(() => {})
      return stream.jobs.length > 0
    })
    // Probe jobs that came before the stream was registered wait for a poll.
    const { jobs } = await raw().activate({ type, maxJobsToActivate: 1000 })
    for (const job of [...jobs, ...stream.jobs]) await raw().call('CompleteJob', { jobKey: job.key })
    stream.jobs.length = 0
    return stream
  }

  check('[46] a job made after opening is pushed; one made before is not', async () => {
    const made = await oneTaskProcess()
    const early = await create(made.id, { early: true })
    const stream = raw().openStream({ type: made.type })
    const later = await until('a job is pushed', async () => {
      await create(made.id, { early: false })
      return stream.jobs[0]
    })
    assert.deepEqual(JSON.parse(later.variables), { early: false })
    assert.ok(stream.jobs.every((job) => job.processInstanceKey !== early.processInstanceKey))
    stream.cancel()
    await stream.ended
  })

  check('a pushed job carries the same as a polled one and can be completed', async () => {
    const made = await oneTaskProcess({ headers: { h: 'v' }, retries: 4 })
    const stream = await openStream(raw(), made, { worker: 'streamer', timeout: 30_000, fetchVariable: ['a'] })
    const instance = await create(made.id, { a: 1, b: 2 })
    const job = await until('the job is pushed', () => stream.jobs[0])
    assert.equal(job.processInstanceKey, instance.processInstanceKey)
    assert.equal(job.worker, 'streamer')
    assert.equal(job.retries, 4)
    assert.equal(job.customHeaders, '{"h":"v"}')
    assert.equal(job.variables, '{"a":1}')
    assert.equal(job.kind, 'BPMN_ELEMENT')
    assert.equal(job.listenerEventType, 'UNSPECIFIED')
    assert.ok(Number(job.deadline) > Date.now())
    await raw().call('CompleteJob', { jobKey: job.key })
    stream.cancel()
    await stream.ended
  })

  check('[47] stream and poller together: each job exactly once, the stream first', async () => {
    const made = await oneTaskProcess()
    const stream = await openStream(raw(), made)
    const parked = raw().activate({ type: made.type, requestTimeout: 3000 })
    await raw().call('Topology', {}) // on the same connection after the poll, so the poll waits by now
    const wanted = []
    for (let i = 0; i < 20; i++) wanted.push((await create(made.id)).processInstanceKey)
    const polled = (await parked).jobs
    await until('all jobs are handed out', () => stream.jobs.length + polled.length >= 20)
    const seen = [...stream.jobs, ...polled].map((job) => job.processInstanceKey)
    assert.deepEqual(seen.sort(), wanted.sort())
    assert.equal(stream.jobs.length, 20, 'a poll that waits leaves them to the stream')
    stream.cancel()
    await stream.ended
  })

  check('a failed job with retries is pushed again', async () => {
    const made = await oneTaskProcess()
    const stream = await openStream(raw(), made)
    await create(made.id)
    const first = await until('the job is pushed', () => stream.jobs[0])
    await raw().call('FailJob', { jobKey: first.key, retries: 2 })
    const second = await until('it is pushed again', () => stream.jobs[1])
    assert.equal(second.key, first.key)
    assert.equal(second.retries, 2)
    stream.cancel()
    await stream.ended
  })

  check('[48] a stream nobody reads does not pile up jobs: pollers get them', async () => {
    const made = await oneTaskProcess()
    const lazy = new Raw(server().address, { 'grpc-node.flow_control_window': 65_535 })
    const stream = await openStream(lazy, made)
    stream.call.pause()
    const count = 40
    for (let i = 0; i < count; i++) await create(made.id, { i, pad: 'x'.repeat(256 * 1024) })
    const polled = await until('a poller gets jobs', async () => {
      const { jobs } = await raw().activate({ type: made.type, maxJobsToActivate: 100, fetchVariable: ['i'] })
      return jobs.length > 0 && jobs
    })
    assert.ok(polled.length > 0 && polled.length <= count)
    stream.cancel()
    await stream.ended
    lazy.close()
  })

  check('[49] a stream client that vanishes: its jobs come back, new ones go elsewhere', async () => {
    const made = await oneTaskProcess()
    const doomed = new Raw(server().address)
    const stream = await openStream(doomed, made, { timeout: 1000 })
    await create(made.id, { n: 1 })
    const held = await until('the job is pushed', () => stream.jobs[0])
    stream.cancel()
    doomed.close()
    await stream.ended
    await create(made.id, { n: 2 })
    const keys = new Set()
    await until('both jobs are offered', async () => {
      const { jobs } = await raw().activate({ type: made.type, requestTimeout: 2000 })
      for (const job of jobs) keys.add(job.key)
      return keys.size === 2
    })
    assert.ok(keys.has(held.key))
  })

  check('[50] a stream without a type or with no timeout is refused', async () => {
    const blank = raw().openStream({ type: '' })
    await refused(
      blank.ended.then((error) => Promise.reject(error)),
      'INVALID_ARGUMENT',
      'Expected to stream activated jobs with type to be present, but it was blank',
    )
    const never = raw().openStream({ type: 'x', timeout: 0 })
    await refused(
      never.ended.then((error) => Promise.reject(error)),
      'INVALID_ARGUMENT',
      'Expected to stream activated jobs with timeout to be greater than zero, but it was 0',
    )
  })

  check('two streams share the work, no job twice', async () => {
    const made = await oneTaskProcess()
    const first = await openStream(raw(), made)
    const second = await openStream(new Raw(server().address), made).catch((error) => {
      throw error
    })
    first.jobs.length = 0
    second.jobs.length = 0
    for (let i = 0; i < 30; i++) await create(made.id)
    await until('all are pushed', () => first.jobs.length + second.jobs.length >= 30)
    const keys = [...first.jobs, ...second.jobs].map((job) => job.key)
    assert.equal(new Set(keys).size, 30)
    for (const stream of [first, second]) {
      stream.cancel()
      await within('the stream ends', stream.ended)
    }
  })
})
