'use strict'
const assert = require('node:assert/strict')
const { suite } = require('./lib/suite')
const { UNKNOWN_KEY, refused } = require('./lib/clients')
const { end, exclusive, oneTask, process, service, start } = require('./lib/models')
const { unique, until } = require('./lib/wait')

suite('incidents', { concurrency: 6 }, ({ check, raw, deploy, server, node }) => {
  const create = async (id, variables = {}) => {
    const answer = await raw().call('CreateProcessInstance', {
      bpmnProcessId: id,
      version: -1,
      variables: JSON.stringify(variables),
    })
    return answer.processInstanceKey
  }
  // Returns the n-th incident of an instance from the export.
  const incident = (instance, n = 0) =>
    until('the incident is exported', () => {
      const all = server()
        .records()
        .filter((r) => r.valueType === 'INCIDENT' && r.intent === 'CREATED' && String(r.value.processInstanceKey) === instance)
      return all[n]
    })
  const resolve = (record) => raw().call('ResolveIncident', { incidentKey: String(record.key) })
  const set = (elementInstanceKey, variables) =>
    raw().call('SetVariables', { elementInstanceKey, variables: JSON.stringify(variables), local: false })
  const next = async (type) => {
    const { jobs } = await raw().activate({ type, requestTimeout: 50_000, maxJobsToActivate: 1 })
    assert.equal(jobs.length, 1)
    return jobs[0]
  }
  const completed = (instance) =>
    server().record('the instance completes', (r) => r.intent === 'ELEMENT_COMPLETED' && String(r.key) === instance)

  check('[42] no retries left: no more activation; resolving needs retries first', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    const instance = await create(id)
    const job = await next(type)
    await raw().call('FailJob', { jobKey: job.key, retries: 0, errorMessage: 'broken' })
    const raised = await incident(instance)
    assert.equal(raised.value.errorType, 'JOB_NO_RETRIES')
    assert.equal(raised.value.errorMessage, 'broken')
    assert.equal(raised.value.elementId, 'work')
    assert.equal(String(raised.value.jobKey), job.key)
    assert.deepEqual((await raw().activate({ type })).jobs, [])
    await refused(
      resolve(raised),
      'FAILED_PRECONDITION',
      `Command 'RESOLVE' rejected with code 'INVALID_STATE': Expected to resolve incident with key '${raised.key}', but job with key '${job.key}' has no retries left. Please update the job retries and retry resolving the incident`,
    )
    await raw().call('UpdateJobRetries', { jobKey: job.key, retries: 3 })
    await resolve(raised)
    const again = await next(type)
    assert.equal(again.key, job.key)
    assert.equal(again.retries, 3)
    await raw().call('CompleteJob', { jobKey: again.key })
    await completed(instance)
    await refused(
      resolve(raised),
      'NOT_FOUND',
      `Expected to resolve incident with key '${raised.key}', but no such incident was found`,
    )
  })

  check('the default text, and a long message that is cut', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    const silent = await create(id)
    await raw().call('FailJob', { jobKey: (await next(type)).key, retries: 0 })
    assert.equal((await incident(silent)).value.errorMessage, 'No more retries left.')
    const loud = await create(id)
    await raw().call('FailJob', { jobKey: (await next(type)).key, retries: 0, errorMessage: 'x'.repeat(20_000) })
    assert.ok((await incident(loud)).value.errorMessage.length <= 10_003)
  })

  check('an unknown incident is NOT_FOUND', async () => {
    for (const incidentKey of [UNKNOWN_KEY, '0', '-5']) {
      await refused(
        raw().call('ResolveIncident', { incidentKey }),
        'NOT_FOUND',
        `Command 'RESOLVE' rejected with code 'NOT_FOUND': Expected to resolve incident with key '${incidentKey}', but no such incident was found`,
      )
    }
  })

  check('an exclusive gateway with no way out: set the variable, resolve, go on', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(
      process(
        id,
        [start(), exclusive('choose'), service('work', { type }), service('other', { type: unique('o') }), end()],
        [
          ['start', 'choose'],
          ['choose', 'work', { condition: '=go = "work"' }],
          ['choose', 'other', { condition: '=go = "other"' }],
          ['work', 'end'],
          ['other', 'end'],
        ],
      ),
    )
    const instance = await create(id, { go: 'nowhere' })
    const first = await incident(instance)
    assert.equal(first.value.errorType, 'CONDITION_ERROR')
    assert.equal(first.value.elementId, 'choose')
    // Resolving without a change succeeds and raises a new incident.
    await resolve(first)
    const second = await incident(instance, 1)
    assert.notEqual(String(second.key), String(first.key))
    await set(instance, { go: 'work' })
    await resolve(second)
    await raw().call('CompleteJob', { jobKey: (await next(type)).key })
    await completed(instance)
  })

  check('an input mapping that fails, and a job type that is no string', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, `=kind`, { inputs: [['=assert(a, a != null)', 'b']] }))
    const instance = await create(id)
    const mapping = await incident(instance)
    assert.equal(mapping.value.errorType, 'IO_MAPPING_ERROR')
    await set(instance, { a: 1, kind: 5 })
    await resolve(mapping)
    const extraction = await incident(instance, 1)
    assert.equal(extraction.value.errorType, 'EXTRACT_VALUE_ERROR')
    await set(instance, { kind: type })
    await resolve(extraction)
    const job = await next(type)
    assert.equal(JSON.parse(job.variables).b, 1)
    await raw().call('CompleteJob', { jobKey: job.key })
    await completed(instance)
  })

  check('[45] an error nobody catches: OK, an incident, and the job again once resolved', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    const instance = await create(id)
    const job = await next(type)
    await raw().call('ThrowError', { jobKey: job.key, errorCode: 'E42', errorMessage: 'odd' })
    const raised = await incident(instance)
    assert.equal(raised.value.errorType, 'UNHANDLED_ERROR_EVENT')
    assert.match(
      raised.value.errorMessage,
      /^Expected to throw an error event with the code 'E42' with message 'odd', but it was not caught\./,
    )
    await refused(
      raw().call('CompleteJob', { jobKey: job.key }),
      'FAILED_PRECONDITION',
      `Expected to complete job with key '${job.key}', but it is in state 'ERROR_THROWN'`,
    )
    await resolve(raised)
    assert.equal((await next(type)).key, job.key)
    await raw().call('CompleteJob', { jobKey: job.key })
    await completed(instance)
  })

  check('[22] with result waits through an incident', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    const answer = raw().call('CreateProcessInstanceWithResult', {
      request: { bpmnProcessId: id, version: -1, variables: '{"a":1}' },
      requestTimeout: 55_000,
    })
    const job = await next(type)
    await raw().call('FailJob', { jobKey: job.key, retries: 0 })
    const raised = await incident(job.processInstanceKey)
    await raw().call('UpdateJobRetries', { jobKey: job.key, retries: 1 })
    await resolve(raised)
    await raw().call('CompleteJob', { jobKey: (await next(type)).key })
    assert.deepEqual(JSON.parse((await answer).variables), { a: 1 })
  })

  check('[32] a job larger than a message: an incident, the others are delivered', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    const large = await create(id)
    for (let i = 0; i < 3; i++) await set(large, { [`pad${i}`]: 'x'.repeat(1_700_000) })
    const small = await create(id, { small: true })
    const { jobs } = await raw().activate({ type })
    assert.deepEqual(jobs.map((job) => job.processInstanceKey), [small])
    const raised = await incident(large)
    assert.equal(raised.value.errorType, 'MESSAGE_SIZE_EXCEEDED')
    assert.match(raised.value.errorMessage, /can not be activated, because with .* it is larger than the configured message size/)
    await resolve(raised)
    const named = await raw().activate({ type, fetchVariable: ['none'], requestTimeout: 50_000 })
    assert.deepEqual(named.jobs.map((job) => job.processInstanceKey), [large])
  })

  check('cancelling resolves the incident', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    const instance = await create(id)
    await raw().call('FailJob', { jobKey: (await next(type)).key, retries: 0 })
    const raised = await incident(instance)
    await raw().call('CancelProcessInstance', { processInstanceKey: instance })
    await server().record(
      'the incident is resolved',
      (r) => r.valueType === 'INCIDENT' && r.intent === 'RESOLVED' && String(r.key) === String(raised.key),
    )
  })

  check('zeebe-node resolves incidents and updates retries', async () => {
    const client = node()
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    const instance = await create(id)
    const job = await next(type)
    await client.failJob({ jobKey: job.key, retries: 0, errorMessage: 'x', retryBackOff: 0 })
    const raised = await incident(instance)
    await client.updateJobRetries({ jobKey: job.key, retries: 1 })
    await client.resolveIncident({ incidentKey: String(raised.key) })
    assert.equal((await next(type)).key, job.key)
  })
})
