'use strict'
const assert = require('node:assert/strict')
const { suite } = require('./lib/suite')
const { Raw, refused } = require('./lib/clients')
const { oneTask } = require('./lib/models')
const { unique, until, within } = require('./lib/wait')

suite('a thousand idle long polls', {}, ({ check, raw, deploy, server }) => {
  check('commands are served beside them, and one job wakes one of them', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    const crowd = Array.from({ length: 5 }, () => new Raw(server().address))
    const calls = []
    for (let i = 0; i < 1000; i++) {
      calls.push(crowd[i % crowd.length].openActivate({ type: i % 2 ? type : unique('idle'), requestTimeout: 600_000, maxJobsToActivate: 1 }))
    }
    await Promise.all(crowd.map((client) => client.call('Topology')))
    for (let i = 0; i < 10; i++) await raw().call('CreateProcessInstance', { bpmnProcessId: id, version: -1 })
    const jobs = await until('ten polls are served', () => {
      const all = calls.flatMap((call) => call.jobs)
      return all.length >= 10 && all
    })
    assert.equal(new Set(jobs.map((job) => job.key)).size, 10)
    for (const job of jobs) await raw().call('CompleteJob', { jobKey: job.key })
    for (const call of calls) call.cancel()
    await within('all calls end', Promise.all(calls.map((call) => call.ended)))
    for (const client of crowd) client.close()
    const after = await raw().activate({ type })
    assert.equal(after.messages, 0)
  })
})

// The queue has room for eight: every further command must be refused, not kept and not lost.
suite('a flood beyond the queue', { args: ['--queue-limit', '8'] }, ({ check, raw, deploy, server, node }) => {
  check('[66] creates are refused with RESOURCE_EXHAUSTED, completions pass, nothing acknowledged is lost', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    const clients = Array.from({ length: 4 }, () => new Raw(server().address))
    const acknowledged = []
    const refusedCount = { n: 0 }
    const held = []
    const flood = async (client) => {
      const calls = Array.from({ length: 150 }, () =>
        client.call('CreateProcessInstance', { bpmnProcessId: id, version: -1, variables: JSON.stringify({ pad: 'x'.repeat(2000) }) }).then(
          (answer) => acknowledged.push(answer.processInstanceKey),
          (error) => {
            assert.equal(error.code, 8, error.message)
            assert.match(error.details, /Please try again|request limit is exhausted/)
            refusedCount.n += 1
          },
        ),
      )
      await Promise.all(calls)
    }
    // Flood again until the queue was full at least once: a fast machine may drain eight at a time.
    await until('the queue overflows', async () => {
      await Promise.all(clients.map(flood))
      return refusedCount.n > 0
    })
    const drain = async () => {
      for (;;) {
        const { jobs } = await raw()
          .activate({ type, maxJobsToActivate: 200, fetchVariable: ['none'], requestTimeout: 1000 })
          .catch((error) => {
            assert.equal(error.code, 8, error.message)
            return { jobs: [null] }
          })
        if (jobs.length === 0) return
        held.push(...jobs.filter(Boolean))
      }
    }
    await drain()
    assert.deepEqual(held.map((job) => job.processInstanceKey).sort(), acknowledged.slice().sort())
    // While others flood, completions are never refused.
    const more = Promise.all(clients.map(flood))
    await Promise.all(held.map((job) => raw().call('CompleteJob', { jobKey: job.key })))
    await more
    for (const client of clients) client.close()
    assert.ok((await server().metric('beeline_commands_refused_total')) > 0)
  })

  check('[66] zeebe-node recovers by itself', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    const client = node({ retry: true })
    const instances = await Promise.all(
      Array.from({ length: 30 }, () => client.createProcessInstance({ bpmnProcessId: id, variables: {} })),
    )
    assert.equal(new Set(instances.map((instance) => instance.processInstanceKey)).size, 30)
  })

  check('the server is as quick as before', async () => {
    await refused(raw().call('CompleteJob', { jobKey: 1 }), 'NOT_FOUND')
  })
})
